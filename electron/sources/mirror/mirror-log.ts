// What a mirror tells: each problem once on standard error, and everything that happened in the catalog's log of the feeds.
import { messageOf } from "../../../shared/app-error.ts";
import type { CatalogWriter, FeedLogEntry } from "../../catalog/catalog.ts";
import type { Effects } from "../../platform/effects.ts";

export type MirrorEntry = Omit<FeedLogEntry, "at" | "source">;

export interface MirrorLog {
  /** Writes down what happened. */
  note(entry: MirrorEntry): void;
  /** Writes down and says a problem, unless the very same was said of this event before. Returns whether it is new. */
  complain(entry: MirrorEntry & { readonly message: string }): boolean;
  /** Makes a problem of an event, or of the whole (""), worth saying again: it had ended. What is said of a revision stays. */
  forgive(eventId: string): void;
  /** Resolves when everything is written. */
  flush(): Promise<void>;
}

/** More than this is not kept waiting for a catalog that does not take it. */
const maxWaiting = 2_000;
const maxSaid = 5_000;

export function createMirrorLog(
  source: string,
  catalog: Pick<CatalogWriter, "appendFeedLog">,
  { log, now }: Pick<Effects, "log" | "now">,
): MirrorLog {
  /** By everything that makes it the same; the value is the event, for what is not of one revision and may end. */
  const said = new Map<string, string | undefined>();
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
    if (waiting.length < maxWaiting) waiting.push({ at: now().toISOString(), source, ...entry });
    // A moment later, so that what happens together is written together.
    writing ??= Promise.resolve().then(write);
  };
  const keyOf = ({ eventId, kind, sequence, message }: MirrorEntry): string =>
    JSON.stringify([eventId, kind, sequence, message]);

  return {
    note,
    complain(entry) {
      const key = keyOf(entry);
      if (said.has(key)) return false;
      if (said.size >= maxSaid) said.clear();
      const { eventId, revisionId, sequence } = entry;
      said.set(key, sequence === undefined ? eventId : undefined);
      log("warn", `${source}: ${entry.message}`, {
        ...(eventId === "" ? {} : { eventId }),
        ...(revisionId !== undefined && { revisionId, sequence }),
      });
      note(entry);
      return true;
    },
    forgive(eventId) {
      for (const [key, of] of said) if (of === eventId) said.delete(key);
    },
    async flush() {
      await writing;
    },
  };
}
