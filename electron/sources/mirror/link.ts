// Whether the followed service can be reached, told by every request that was made of it.
import type { MirrorLog } from "./mirror-log.ts";

export interface Link {
  /** A sentence while it is down. */
  readonly problem: string | undefined;
  readonly lastCheckedAt: string | null;
  readonly lastReachedAt: string | null;
  /** Undefined for an answer of any kind; a sentence when there was none. */
  report(problem: string | undefined): void;
}

export function createLink(log: MirrorLog, now: () => Date, onUp: () => void): Link {
  let problem: string | undefined;
  let lastCheckedAt: string | null = null;
  let lastReachedAt: string | null = null;
  return {
    get problem() {
      return problem;
    },
    get lastCheckedAt() {
      return lastCheckedAt;
    },
    get lastReachedAt() {
      return lastReachedAt;
    },
    report(next) {
      lastCheckedAt = now().toISOString();
      if (next === undefined) lastReachedAt = lastCheckedAt;
      const was = problem;
      problem = next;
      if (next !== undefined && was === undefined) {
        log.complain({ eventId: "", kind: "link-down", message: `The service is out of reach. ${next}` });
      } else if (next === undefined && was !== undefined) {
        log.forgive("");
        log.note({ eventId: "", kind: "link-up" });
        onUp();
      }
    },
  };
}
