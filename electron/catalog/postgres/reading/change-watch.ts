// Notices changes of events and revisions by any node. A notification is a hint that comes within milliseconds; a slow
// poll finds what it missed, so a lost hint costs half a second and never a notice.
import { isAppError } from "../../../../shared/app-error.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import type { Listening } from "../../../platform/postgres/listen.ts";
import type { CatalogReader } from "../../catalog.ts";

/** Channel of content commits. Those of assets and of the log do not notify: each would take a lock of the instance. */
export const changeChannel = "echotop_catalog";

const pollMs = 500;

/**
 * Changes with each commit that changes events or revisions, and with no other: a changed or new event gets a version
 * above all others, so the sum rises unless an event was removed, and then there are fewer. The highest version alone
 * is not enough: a lower one may be committed later.
 */
const contentState = "SELECT count(*) || ' ' || coalesce(sum(version), 0) AS state FROM events";

export interface ChangeWatch extends Pick<CatalogReader, "readVersion" | "onChange"> {
  readonly close: () => Promise<void>;
}

export function createChangeWatch(database: Database): ChangeWatch {
  const listeners = new Set<() => void>();
  let seen: string | undefined;
  let version = 1;
  let polled = 1;
  let timer: NodeJS.Timeout | undefined;
  let listening: Listening | undefined;

  const readVersion = async (): Promise<number> => {
    const [row] = await database.read<{ state: string }>(contentState);
    if (row!.state !== seen) version += 1;
    seen = row!.state;
    return version;
  };
  const callBack = (): void => {
    for (const listener of listeners) listener();
  };
  const poll = async (): Promise<void> => {
    try {
      const current = await readVersion();
      if (current !== polled && timer) callBack();
      polled = current;
    } catch (error) {
      // The next reader gets this error; the timer has no caller.
      if (!isAppError(error)) throw error;
    } finally {
      timer?.refresh();
    }
  };
  const stop = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const stopped = listening;
    listening = undefined;
    await stopped?.close();
  };
  return {
    readVersion,
    onChange: (listener) => {
      // A new function, so that a listener added twice is called twice and each can be stopped.
      const entry = (): void => {
        listener();
      };
      listeners.add(entry);
      timer ??= setTimeout(() => void poll(), pollMs).unref();
      listening ??= database.listen({ channel: changeChannel, onHint: callBack });
      return () => {
        listeners.delete(entry);
        if (listeners.size === 0) void stop();
      };
    },
    close: async () => {
      listeners.clear();
      await stop();
    },
  };
}
