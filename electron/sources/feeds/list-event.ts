// Lists what a source has for the registered window of an event: the files to fetch, and the windows without any.
import { AppError } from "../../../shared/app-error.ts";
import { productIds, type ProductId } from "../../../shared/contract/primitives.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import { windowMs, windowStartAt } from "../../../shared/revisions/observation-window.ts";
import type { Catalog, TimeWindow } from "../../catalog/catalog.ts";
import { toInstant } from "../../catalog/plans/instants.ts";
import type { FileResult } from "../../pipeline/ingest/ingest-report.ts";
import type { Effects } from "../../platform/effects.ts";
import { AssetLedger, type TrackedAsset } from "./asset-ledger.ts";
import type { FeedJournal } from "./feed-journal.ts";
import { fetchRetryTiming, maxFetchAttempts } from "./feed-limits.ts";
import type { FeedSource, Listing } from "./feed-source.ts";
import { findGaps, reportGap } from "./gaps.ts";
import { askedWaitMs, retryDelay } from "./link-error.ts";
import { dayPrefix } from "./mrms-name.ts";
import { discoverAssets } from "./stage-assets.ts";

/** Windows of a product for which the source has no file. */
export interface MissingWindows {
  readonly product: ProductId;
  readonly status: "missing";
  /** From the start of the first missing window to the end of the last. */
  readonly from: string;
  readonly to: string;
  readonly windows: number;
}

export interface ListEventOptions {
  readonly catalog: Catalog;
  readonly eventId: string;
  readonly source: FeedSource;
  readonly effects: Pick<Effects, "now" | "sleep" | "random">;
  readonly signal: AbortSignal;
  /** Called for each part of the source that cannot be listed. */
  readonly onFile: (result: FileResult) => void;
  readonly onMissing: (missing: MissingWindows) => void;
}

export interface EventListing {
  /** Files that the source lists for the window. */
  readonly listed: number;
  /** Those to fetch; they have rows in the catalog. */
  readonly fresh: readonly TrackedAsset[];
  /** Parts of the source that could not be listed. */
  readonly unlisted: number;
  /** Reports windows that the source does not have. Returns their number. */
  readonly reportMissing: () => number;
}

/**
 * Returns the registered window of an event that may be filled.
 * @throws AppError `not-found` for an unknown event, `conflict` if it is archived or has no registered window
 */
export async function getFetchWindow({
  catalog,
  eventId,
}: Pick<ListEventOptions, "catalog" | "eventId">): Promise<TimeWindow> {
  const event = await catalog.findEvent(eventId);
  if (!event) throw new AppError("not-found", `There is no event ${eventId}: register its window first.`);
  if (event.status === "archived" || event.mirrorOf !== undefined) {
    throw new AppError("conflict", `The event ${eventId} is read-only.`);
  }
  if (!event.registeredWindow) {
    throw new AppError("conflict", `The event ${eventId} has no registered window to fill.`);
  }
  return event.registeredWindow;
}

/**
 * Lists the source and discovers the files to fetch.
 * @throws AppError `not-found` for a source without files for the window, `upstream-unavailable` if the source cannot
 * be listed; the signal's reason
 */
export async function listEvent(
  options: ListEventOptions,
  window: TimeWindow,
  journal: FeedJournal,
): Promise<EventListing> {
  const { catalog, eventId, effects, onFile } = options;
  journal.add({ kind: "started" });
  const ledger = new AssetLedger();
  ledger.restore(await catalog.listAssets(eventId));
  const listing = await list(options, window);
  for (const { what, message } of listing.strange) {
    journal.add({ kind: "failed", locator: what, message });
  }
  const fresh = ledger.merge(listing.assets, effects.now().getTime());
  const listed = listing.assets.length;
  const unlisted = [...listing.failures, ...listing.unreadable];
  for (const { what, message } of unlisted) {
    journal.add({ kind: "failed", locator: what, message });
    const error = `${what}: ${message}`;
    onFile({ file: what, product: null, observedAt: null, status: "failed", error });
  }
  if (listed === 0 && unlisted.length === 0) {
    reportMissing(options, journal, { ledger, listing, window });
    throw new AppError("not-found", "The source has no files for the event's window.");
  }
  await discoverAssets(catalog, eventId, fresh);
  return {
    ...{ listed, fresh, unlisted: unlisted.length },
    reportMissing: () => reportMissing(options, journal, { ledger, listing, window }),
  };
}

async function list({ source, effects, signal }: ListEventOptions, window: TimeWindow): Promise<Listing> {
  const range = { fromMs: Date.parse(window.startedAt), toMs: Date.parse(window.endedAt) };
  const delay = (attempt: number, askedMs?: number): number =>
    retryDelay(attempt, fetchRetryTiming, effects.random, askedMs);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const listing = await source.list(range, signal);
      const isWhole = listing.failures.length === 0 && listing.lookAgainInMs === undefined;
      if (isWhole || attempt === maxFetchAttempts) return listing;
      await effects.sleep(listing.lookAgainInMs ?? delay(attempt), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (attempt === maxFetchAttempts) throw error;
      await effects.sleep(delay(attempt, askedWaitMs(error)), signal);
    }
  }
}

/**
 * Reports windows that lie entirely within the event's and are over. A window that could not be listed is not missing.
 */
function reportMissing(
  { effects, onMissing }: ListEventOptions,
  journal: FeedJournal,
  {
    ledger,
    listing: { failures },
    window,
  }: { readonly ledger: AssetLedger; readonly listing: Listing; readonly window: TimeWindow },
): number {
  const endMs = Math.min(Date.parse(window.endedAt), effects.now().getTime());
  const first = Math.ceil(Date.parse(window.startedAt) / windowMs);
  const last = Math.floor(endMs / windowMs) - 1;
  for (const product of productIds) {
    const isUnknown = (at: number): boolean => {
      const prefix = dayPrefix(getProduct(product), at * windowMs);
      return failures.some(({ what }) => what === prefix);
    };
    const has = (at: number): boolean => ledger.isListed(at, product) || isUnknown(at);
    for (const gap of findGaps(first, last, has)) {
      reportGap(journal, product, gap);
      const from = toInstant(Date.parse(windowStartAt(gap.firstWindow)));
      const to = toInstant(Date.parse(windowStartAt(gap.lastWindow + 1)));
      onMissing({ product, status: "missing", from, to, windows: gap.length });
    }
  }
  return journal.counts.gaps;
}
