// What a feed tells of itself: counts and times for its health, and entries for the log, each cause once.
import { createFeedCounts, type FeedFailure, type FeedHealth } from "../../../shared/contract/feed-health.ts";
import { productIds, type ProductId } from "../../../shared/contract/primitives.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { FeedLogEntry } from "../../catalog/catalog.ts";
import { toInstant } from "../../catalog/instants.ts";

export type JournalEntry = Omit<FeedLogEntry, "at" | "source" | "eventId">;

interface ProductNotes {
  newestListedMs: number | undefined;
  newestPublishedMs: number | undefined;
  newestArrivedMs: number | undefined;
  arrivalDelayMs: number | undefined;
  lastFailure: FeedFailure | undefined;
}

export interface JournalOptions {
  readonly source: string;
  readonly eventId: string;
  readonly now: () => Date;
}

/** Bounds what is held when the log cannot be written for long. */
const entryLimit = 2000;

export class FeedJournal {
  readonly counts = createFeedCounts();
  readonly #options: JournalOptions;
  readonly #products = new Map<ProductId, ProductNotes>();
  #entries: FeedLogEntry[] = [];

  constructor(options: JournalOptions) {
    this.#options = options;
    for (const id of productIds) {
      this.#products.set(id, {
        newestListedMs: undefined,
        newestPublishedMs: undefined,
        newestArrivedMs: undefined,
        arrivalDelayMs: undefined,
        lastFailure: undefined,
      });
    }
  }

  add(entry: JournalEntry): void {
    const { source, eventId, now } = this.#options;
    this.#entries.push({ at: toInstant(now().getTime()), source, eventId, ...entry });
    if (this.#entries.length > entryLimit) this.#entries.shift();
  }

  /** Hands over the entries since the last call. */
  take(): readonly FeedLogEntry[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }

  /** Gives entries back that could not be written. */
  putBack(entries: readonly FeedLogEntry[]): void {
    this.#entries = [...entries, ...this.#entries].slice(-entryLimit);
  }

  noteListed(productId: ProductId, observedAtMs: number): void {
    const notes = this.#of(productId);
    notes.newestListedMs = Math.max(notes.newestListedMs ?? -Infinity, observedAtMs);
  }

  /** A failure of the same window has come good with it. */
  notePublished(productId: ProductId, observedAtMs: number): void {
    const notes = this.#of(productId);
    notes.newestPublishedMs = Math.max(notes.newestPublishedMs ?? -Infinity, observedAtMs);
    const failedAt = notes.lastFailure?.observedAt;
    if (typeof failedAt !== "string") return;
    if (observationWindow(failedAt) === observationWindow(toInstant(observedAtMs)))
      notes.lastFailure = undefined;
  }

  /** What failed without being of an observation, publishing as a whole, works again. */
  noteRecovered(): void {
    for (const notes of this.#products.values())
      if (notes.lastFailure?.observedAt === null) notes.lastFailure = undefined;
  }

  /** What arrives for an older window, or a second time, says nothing of how late the newest observation was. */
  noteArrival(productId: ProductId, observedAtMs: number, delayMs: number): void {
    const notes = this.#of(productId);
    if (observedAtMs <= (notes.newestArrivedMs ?? -Infinity)) return;
    notes.newestArrivedMs = observedAtMs;
    notes.arrivalDelayMs = delayMs;
  }

  noteFailure(productId: ProductId, observedAt: string | null, message: string): void {
    this.#of(productId).lastFailure = { at: toInstant(this.#options.now().getTime()), observedAt, message };
  }

  newestListedMs(): number | undefined {
    const known = [...this.#products.values()].flatMap(({ newestListedMs }) => newestListedMs ?? []);
    return known.length === 0 ? undefined : Math.max(...known);
  }

  /** Whether of some product something newer than all that is published could not be used. */
  hasNewFailure(): boolean {
    return [...this.#products.values()].some(
      ({ lastFailure, newestPublishedMs }) =>
        Date.parse(lastFailure?.observedAt ?? "") > (newestPublishedMs ?? -Infinity),
    );
  }

  products(): FeedHealth["products"] {
    return [...this.#products].map(([productId, notes]) => ({
      productId,
      newestListedAt: orNull(notes.newestListedMs),
      newestPublishedAt: orNull(notes.newestPublishedMs),
      arrivalDelayMs: notes.arrivalDelayMs ?? null,
      lastFailure: notes.lastFailure ?? null,
    }));
  }

  #of(productId: ProductId): ProductNotes {
    return this.#products.get(productId)!;
  }
}

function orNull(ms: number | undefined): string | null {
  return ms === undefined ? null : toInstant(ms);
}
