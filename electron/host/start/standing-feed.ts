// A feed of a service, which several processes may be told to run: the one that has the event's lease leads, the others
// stand by and take over.
import { isAppError, messageOf } from "../../../shared/app-error.ts";
import type { FeedLock } from "../../catalog/stores/located-stores.ts";
import type { Effects } from "../../platform/effects.ts";
import type { Feed } from "../../sources/feeds/feed.ts";

export interface StandingFeedOptions {
  readonly reserve: () => Promise<FeedLock | undefined>;
  /** Starts to lead. The feed closes the lock at its end, also if it cannot start. */
  readonly start: (lock: FeedLock) => Promise<Feed>;
  readonly effects: Pick<Effects, "log" | "sleep">;
}

const retryMs = 1_000;
const reportMs = 1_000;

/** Has no health while it stands by. */
export function startStandingFeed({ reserve, start, effects }: StandingFeedOptions): Feed {
  const closing = new AbortController();
  let leading: Feed | undefined;
  let problem: string | undefined;

  const lead = async (lock: FeedLock): Promise<void> => {
    leading = await start(lock);
    problem = undefined;
    const feed = leading;
    await reportUntil(AbortSignal.any([closing.signal, ...(lock.lost ? [lock.lost] : [])]), feed, lock);
    leading = undefined;
    await feed.close();
  };
  /** Reports each change of the health to the other processes, until the signal. */
  const reportUntil = async (signal: AbortSignal, feed: Feed, { report }: FeedLock): Promise<void> => {
    let reported = "";
    while (!signal.aborted) {
      const health = feed.health();
      const text = JSON.stringify(health);
      if (text !== reported) {
        try {
          await report?.(health);
          reported = text;
        } catch (error) {
          // The database is away, or of the version before, which has no reports.
          if (!isAppError(error)) throw error;
        }
      }
      await effects.sleep(reportMs, signal).catch(() => undefined);
    }
  };
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        const lock = await reserve();
        if (lock) await lead(lock);
      } catch (error) {
        // The same trouble at every attempt is said once.
        if (messageOf(error) !== problem) effects.log("warn", "The feed cannot lead.", { error });
        problem = messageOf(error);
      }
      await effects.sleep(retryMs, closing.signal).catch(() => undefined);
    }
  };
  const ended = run();
  return {
    health: () => leading?.health() ?? [],
    close: () => {
      closing.abort();
      return ended;
    },
  };
}
