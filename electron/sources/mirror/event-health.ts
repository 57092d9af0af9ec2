// Keeps count of one followed event, or of a service of which no event is known: what the other side lists, what was taken over, what failed.
import {
  createFeedCounts,
  sourceIdleAfterMs,
  type FeedCounts,
  type FeedFailure,
  type FeedHealth,
  type FeedProductHealth,
  type FeedState,
} from "../../../shared/contract/feed-health.ts";
import type { MrmsLayer } from "../../../shared/contract/manifest.ts";
import { productIds, type ProductId } from "../../../shared/contract/primitives.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { Publication } from "../../../shared/revisions/publication.ts";
import type { Link } from "./link.ts";

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };
type LayerTime = Pick<MrmsLayer, "id" | "observedAt">;

export interface EventHealth {
  readonly counts: Mutable<FeedCounts>;
  /** Revisions that are listed and not dealt with yet. */
  pending: number;
  /** Whether the newest thing that was tried failed for reasons other than the link. */
  isFailing: boolean;
  hasBegun: boolean;
  isStopped: boolean;
  nextCheckAt: string | null;
  noteListed(layers: readonly LayerTime[]): void;
  notePublished(layers: readonly LayerTime[], kind: Publication["kind"] | undefined): void;
  /** What the catalog had before this run. */
  noteHeld(layers: readonly LayerTime[]): void;
  noteFailure(layers: readonly LayerTime[], message: string): void;
  report(live: boolean): FeedHealth;
}

export function createEventHealth(
  { source, eventId }: { readonly source: string; readonly eventId: string | null },
  link: Link,
  now: () => Date,
): EventHealth {
  const products = new Map<ProductId, Mutable<FeedProductHealth>>();
  const productOf = (productId: ProductId): Mutable<FeedProductHealth> => {
    let product = products.get(productId);
    if (!product) {
      product = {
        productId,
        newestListedAt: null,
        newestPublishedAt: null,
        arrivalDelayMs: null,
        lastFailure: null,
      };
      products.set(productId, product);
    }
    return product;
  };
  const advance = (
    layers: readonly LayerTime[],
    key: "newestListedAt" | "newestPublishedAt",
    whenNewer?: (product: Mutable<FeedProductHealth>, observedAt: string) => void,
  ): void => {
    for (const { id, observedAt } of layers) {
      const product = productOf(id);
      if (product[key] !== null && Date.parse(product[key]) >= Date.parse(observedAt)) continue;
      product[key] = observedAt;
      whenNewer?.(product, observedAt);
    }
  };
  const health: EventHealth = {
    counts: createFeedCounts(),
    pending: 0,
    isFailing: false,
    hasBegun: false,
    isStopped: false,
    nextCheckAt: null,
    noteListed(layers) {
      advance(layers, "newestListedAt");
    },
    noteHeld(layers) {
      advance(layers, "newestPublishedAt");
    },
    notePublished(layers, kind) {
      for (const { id, observedAt } of layers) {
        const product = productOf(id);
        const failedAt = product.lastFailure?.observedAt ?? undefined;
        // It has come good.
        if (failedAt !== undefined && observationWindow(failedAt) === observationWindow(observedAt))
          product.lastFailure = null;
      }
      health.counts.published += 1;
      if (kind === "correction") health.counts.corrections += 1;
      if (kind === "completion") health.counts.completions += 1;
      if (kind === "backfill") health.counts.backfills += 1;
      advance(layers, "newestPublishedAt", (product, observedAt) => {
        product.arrivalDelayMs = now().getTime() - Date.parse(observedAt);
      });
    },
    noteFailure(layers, message) {
      const at = now().toISOString();
      for (const { id, observedAt } of layers) {
        productOf(id).lastFailure = { at, observedAt, message } satisfies FeedFailure;
      }
    },
    report(live) {
      return {
        source,
        eventId,
        state: stateOf(health, link, live && isOld(products, now().getTime())),
        lastCheckedAt: link.lastCheckedAt,
        lastReachedAt: link.lastReachedAt,
        nextCheckAt: health.nextCheckAt,
        linkProblem: link.problem ?? null,
        pendingWindows: health.pending,
        products: productIds.flatMap((id) => {
          const product = products.get(id);
          return product ? [{ ...product }] : [];
        }),
        counts: { ...health.counts },
      };
    },
  };
  return health;
}

function stateOf(health: EventHealth, link: Link, isIdle: boolean): FeedState {
  if (health.isStopped) return "stopped";
  if (link.problem !== undefined) return "link-down";
  if (!health.hasBegun) return "starting";
  if (health.isFailing) return "processing-failed";
  if (health.pending > 0) return "catching-up";
  return isIdle ? "source-idle" : "current";
}

function isOld(products: ReadonlyMap<ProductId, FeedProductHealth>, nowMs: number): boolean {
  const times = [...products.values()].map(({ newestListedAt }) => Date.parse(newestListedAt ?? ""));
  const known = times.filter((time) => !Number.isNaN(time));
  return known.length > 0 && nowMs - Math.max(...known) > sourceIdleAfterMs;
}
