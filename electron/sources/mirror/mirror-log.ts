// The log of a mirror: every entry goes to the catalog's feed log, and each problem once to standard error.
import { messageOf } from "../../../shared/app-error.ts";
import type { CatalogWriter, FeedLogEntry } from "../../catalog/catalog.ts";
import type { Effects } from "../../platform/effects.ts";
import { maxReported, maxWaitingEntries } from "./mirror-limits.ts";

export type MirrorEntry = Omit<FeedLogEntry, "at" | "source">;

export type MirrorLog = ReturnType<typeof createMirrorLog>;

export function createMirrorLog(
  source: string,
  catalog: Pick<CatalogWriter, "appendFeedLog">,
  { log, now }: Pick<Effects, "log" | "now">,
) {
  /** Event of each reported problem; undefined for a problem of one revision. */
  const reported = new Map<string, string | undefined>();
  let waiting: FeedLogEntry[] = [];
  let writing: Promise<void> | undefined;
  let isFailing = false;

  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const entries = waiting;
      waiting = [];
      try {
        await catalog.appendFeedLog(entries);
        isFailing = false;
      } catch (error) {
        if (!isFailing) log("error", `The log of ${source} cannot be written: ${messageOf(error)}`);
        isFailing = true;
      }
    }
    writing = undefined;
  };
  const note = (entry: MirrorEntry): void => {
    if (waiting.length < maxWaitingEntries) waiting.push({ at: now().toISOString(), source, ...entry });
    // Deferred, so that simultaneous entries share one transaction.
    writing ??= Promise.resolve().then(write);
  };

  return {
    note,
    /** Logs a problem unless the same was logged before. Returns true if it is new. */
    complain(entry: MirrorEntry & { readonly message: string }): boolean {
      const { eventId, revisionId, kind, sequence, message } = entry;
      const key = JSON.stringify([eventId, kind, sequence, message]);
      if (reported.has(key)) return false;
      if (reported.size >= maxReported) reported.clear();
      reported.set(key, sequence === undefined ? eventId : undefined);
      log("warn", `${source}: ${message}`, {
        ...(eventId === "" ? {} : { eventId }),
        ...(revisionId !== undefined && { revisionId, sequence }),
      });
      note(entry);
      return true;
    },
    /** Lets problems of an event, or of the service (""), be logged again; not those of single revisions. */
    forgive(eventId: string): void {
      for (const [key, of] of reported) if (of === eventId) reported.delete(key);
    },
    /** Resolves when everything is written. */
    async flush(): Promise<void> {
      await writing;
    },
  };
}
