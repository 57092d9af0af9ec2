// Gives up a client that sends slowly while others wait for its slot. A client that delays nobody may be slow.
import { GitRefusal } from "./git-refusal.ts";
import type { RequestBody } from "./git-request-body.ts";

export interface Pace {
  /** True while someone waits for the client's slot. */
  readonly isWanted: () => boolean;
  /** Time by which the client may fall behind the lowest speed. */
  readonly patienceMs: number;
}

/** Half a megabit per second: slower than any network on which pushing packs makes sense. */
const lowestBytesPerMs = 64;
const checksPerPatience = 20;

/**
 * Returns the same body. Only the time spent waiting for the client counts.
 * @throws GitRefusal 408 from `next` for a client that is too slow
 */
export function atPace(body: RequestBody, { isWanted, patienceMs }: Pace): RequestBody {
  // Never negative: a fast start earns no credit.
  let lateMs = 0;
  return {
    async next() {
      const startedMs = performance.now();
      const tooSlow = Promise.withResolvers<never>();
      const timer = setInterval(() => {
        if (lateMs + performance.now() - startedMs <= patienceMs || !isWanted()) return;
        tooSlow.reject(
          new GitRefusal(408, "The push arrived too slowly while others waited for the repository."),
        );
      }, patienceMs / checksPerPatience);
      try {
        const piece = await Promise.race([body.next(), tooSlow.promise]);
        const waitedMs = performance.now() - startedMs;
        lateMs = Math.max(0, lateMs + waitedMs - (piece?.length ?? 0) / lowestBytesPerMs);
        return piece;
      } finally {
        clearInterval(timer);
      }
    },
  };
}
