// Work on events and on the directory that holds them: registered, archived, replayed, checked, copied, and their log.
import type { BackupOptions, BackupReport } from "../../catalog/backup/backup-directory.ts";
import type { EventRecord, EventRegistration, FeedLogRecord } from "../../catalog/catalog.ts";
import type { VerifyOptions, VerifyReport } from "../../catalog/verify/verify-directory.ts";
import type { Effects } from "../../platform/effects.ts";
import type { ReplayPlan } from "../../sources/replay/replay-plan.ts";
import type { ReplayEnd, ReplayOptions } from "../../sources/replay/start-replay.ts";
import { existing, making, reading, useCatalog } from "./stores.ts";

export type { EventRegistration, FeedLogRecord };

/** Makes a registered event, and the directory where there is none. Throws as the catalog's `registerEvent` does. */
export function registerIn(
  dataDirectory: string,
  registration: EventRegistration,
  effects: Effects,
): Promise<EventRecord> {
  return useCatalog(dataDirectory, making(effects), (catalog) => catalog.registerEvent(registration));
}

/** Makes an event read-only. Throws as the catalog's `archiveEvent` does, and `not-found` where there is no catalog. */
export function archiveIn(dataDirectory: string, eventId: string, effects: Effects): Promise<void> {
  return useCatalog(dataDirectory, existing(effects), (catalog) => catalog.archiveEvent(eventId));
}

export interface ReplayRequest extends Omit<ReplayOptions, "catalog" | "effects"> {
  /** One call before the first revision. */
  readonly onPlan: (plan: ReplayPlan) => void;
}

/**
 * Replays an event to its end, or until the signal is aborted; a running host may use the directory meanwhile. Throws as
 * `startReplay` and its `done` do, and `not-found` where there is no catalog.
 */
export async function replayEvent(
  dataDirectory: string,
  { onPlan, ...request }: ReplayRequest,
  effects: Effects,
): Promise<ReplayEnd> {
  const { startReplay } = await import("../../sources/replay/start-replay.ts");
  return useCatalog(dataDirectory, existing(effects), async (catalog) => {
    const replay = await startReplay({ ...request, catalog, effects });
    onPlan(replay.plan);
    return replay.done;
  });
}

/** Checks a data directory without changing it. Damage is a finding, not an error. */
export async function verifyData(dataDirectory: string, options: VerifyOptions): Promise<VerifyReport> {
  const { verifyDirectory } = await import("../../catalog/verify/verify-directory.ts");
  return verifyDirectory(dataDirectory, options);
}

/** Copies a data directory that others may write to meanwhile. Throws as `backupDirectory` does. */
export async function backupData(options: BackupOptions): Promise<BackupReport> {
  const { backupDirectory } = await import("../../catalog/backup/backup-directory.ts");
  return backupDirectory(options);
}

/** Entries of the log that are in memory at the same time. */
const logPage = 1000;

/** The feeds' log, oldest first, as far as it goes when it is read. Throws `not-found` where there is no catalog. */
export async function* readLog(dataDirectory: string): AsyncGenerator<FeedLogRecord, void, undefined> {
  const catalog = await reading(dataDirectory);
  try {
    for (let afterId = 0; ;) {
      const records = await catalog.listFeedLog({ limit: logPage, afterId });
      yield* records;
      const last = records.at(-1);
      if (!last) return;
      afterId = last.id;
    }
  } finally {
    await catalog.close();
  }
}
