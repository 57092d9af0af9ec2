// Counts, times and failures that a feed's health report shows, for feeds of files and of revisions alike.
import { createFeedCounts, type FeedFailure, type FeedHealth } from "../../../shared/contract/feed-health.ts";
import { productIds, type ProductId } from "../../../shared/contract/primitives.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { RevisionChange } from "../../../shared/revisions/publication.ts";
import { toInstant } from "../../catalog/plans/instants.ts";

/** Times are the newest observation times, in milliseconds since the Unix epoch. */
interface ProductNotes {
  listedMs?: number;
  publishedMs?: number;
  arrivedMs?: number;
  arrivalDelayMs?: number;
  lastFailure?: FeedFailure | undefined;
}

export class FeedNotes {
  readonly counts = createFeedCounts();
  readonly #now: () => Date;
  readonly #products = new Map<ProductId, ProductNotes>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Makes the report include a product before anything is known of it. */
  noteKnown(productId: ProductId): void {
    this.#of(productId);
  }

  noteListed(productId: ProductId, observedAt: string): void {
    const notes = this.#of(productId);
    notes.listedMs = Math.max(notes.listedMs ?? -Infinity, Date.parse(observedAt));
  }

  /** Returns true if it is newer than everything published before. */
  noteHeld(productId: ProductId, observedAt: string): boolean {
    const notes = this.#of(productId);
    const observedMs = Date.parse(observedAt);
    if (observedMs <= (notes.publishedMs ?? -Infinity)) return false;
    notes.publishedMs = observedMs;
    return true;
  }

  /** Does as `noteHeld` and drops a failure of the same window. */
  notePublished(productId: ProductId, observedAt: string): boolean {
    const notes = this.#of(productId);
    const failedAt = notes.lastFailure?.observedAt;
    if (typeof failedAt === "string" && observationWindow(failedAt) === observationWindow(observedAt))
      notes.lastFailure = undefined;
    return this.noteHeld(productId, observedAt);
  }

  /** Ignores older observations and repeats: they do not show how late the newest one was. */
  noteArrival(productId: ProductId, observedAt: string): void {
    const notes = this.#of(productId);
    const observedMs = Date.parse(observedAt);
    if (observedMs <= (notes.arrivedMs ?? -Infinity)) return;
    notes.arrivedMs = observedMs;
    notes.arrivalDelayMs = this.nowMs() - observedMs;
  }

  /** `observedAt` is null for a failure that does not belong to an observation. */
  noteFailure(productId: ProductId, observedAt: string | null, message: string): void {
    this.#of(productId).lastFailure = { at: toInstant(this.nowMs()), observedAt, message };
  }

  /** Drops failures that do not belong to an observation. */
  noteRecovered(): void {
    for (const notes of this.#products.values())
      if (notes.lastFailure?.observedAt === null) notes.lastFailure = undefined;
  }

  /** Counts a new revision. `change` is undefined if unknown. */
  countRevision(change: RevisionChange | undefined): void {
    this.counts.published += 1;
    if (change === "correction") this.counts.corrections += 1;
    if (change === "completion") this.counts.completions += 1;
    if (change === "backfill") this.counts.backfills += 1;
  }

  newestListedMs(): number | undefined {
    const known = [...this.#products.values()].flatMap(({ listedMs }) => listedMs ?? []);
    return known.length === 0 ? undefined : Math.max(...known);
  }

  /** Returns true if some product failed for an observation newer than all published ones. */
  hasNewFailure(): boolean {
    return [...this.#products.values()].some(
      ({ lastFailure, publishedMs = -Infinity }) => Date.parse(lastFailure?.observedAt ?? "") > publishedMs,
    );
  }

  /** Reports the products noted so far. */
  products(): FeedHealth["products"] {
    return productIds.flatMap((productId) => {
      const notes = this.#products.get(productId);
      if (!notes) return [];
      return {
        productId,
        newestListedAt: orNull(notes.listedMs),
        newestPublishedAt: orNull(notes.publishedMs),
        arrivalDelayMs: notes.arrivalDelayMs ?? null,
        lastFailure: notes.lastFailure ?? null,
      };
    });
  }

  protected nowMs(): number {
    return this.#now().getTime();
  }

  #of(productId: ProductId): ProductNotes {
    let notes = this.#products.get(productId);
    if (!notes) this.#products.set(productId, (notes = {}));
    return notes;
  }
}

export function orNull(ms: number | undefined): string | null {
  return ms === undefined ? null : toInstant(ms);
}
