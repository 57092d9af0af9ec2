// Puts the windows of a registered event into the queue of a service, for its workers to fetch.
import type { BackfillQueue, QueuedWindow } from "../../catalog/stores/backfill-queue.ts";
import type { TrackedAsset } from "../feeds/asset-ledger.ts";
import type { FileSourceConfig } from "../feeds/feed-config.ts";
import { FeedJournal } from "../feeds/feed-journal.ts";
import { toFetchName } from "../feeds/fetch-event.ts";
import { getFetchWindow, listEvent, type ListEventOptions } from "../feeds/list-event.ts";

export interface QueueEventOptions extends ListEventOptions {
  readonly backfills: Pick<BackfillQueue, "enqueue">;
  /** Configuration of `source`, from which each worker makes its own. */
  readonly config: FileSourceConfig;
}

export interface QueueReport {
  /** Files that the source lists for the window. */
  readonly listed: number;
  /** Listed files that were already here. */
  readonly known: number;
  /** Parts of the source that could not be listed. */
  readonly failed: number;
  readonly missingWindows: number;
  readonly queuedWindows: number;
}

/** Queues what the service does not have yet; also during and after an earlier backfill. @throws as `listEvent` does */
export async function queueEvent(options: QueueEventOptions): Promise<QueueReport> {
  const { backfills, config, eventId, source, effects } = options;
  const sourceName = toFetchName(source);
  const journal = new FeedJournal({ source: sourceName, eventId, now: effects.now });
  const window = await getFetchWindow(options);
  const { listed, fresh, unlisted, reportMissing } = await listEvent(options, window, journal);
  const missingWindows = reportMissing();
  const windows = toWindows(fresh);
  await backfills.enqueue({
    ...{ eventId, source: config, sourceName, windows },
    isWhole: unlisted === 0,
    log: journal.take(),
  });
  const queuedWindows = windows.length;
  return { listed, known: listed - fresh.length, failed: unlisted, missingWindows, queuedWindows };
}

function toWindows(fresh: readonly TrackedAsset[]): readonly QueuedWindow[] {
  const byWindow = Map.groupBy(fresh, ({ window }) => window);
  return [...byWindow].map(([window, files]) => ({
    window,
    files: files.map(({ asset, assetId, doneEtag }) => ({ asset, assetId: assetId!, doneEtag })),
  }));
}
