// A client that sends slowly while others wait for its turn to end is given up; alone it may take the time that it needs.
import { GitRefusal } from "./git-refusal.ts";
import type { RequestBody } from "./git-request-body.ts";

export interface Pace {
  /** Somebody waits for what this client holds. */
  readonly isWanted: () => boolean;
  /** So long is waited for the client beyond what its bytes would have taken at the least speed. */
  readonly patienceMs: number;
}

/** Half a megabit: slower than any network on which packs are worth pushing. */
const leastBytesPerMs = 64;
const looksPerPatience = 20;

/**
 * The same body; only the time spent waiting for the client counts, not what is done with what it sent.
 * @throws GitRefusal 408 from `next` for one that comes too slowly
 */
export function atPace(body: RequestBody, { isWanted, patienceMs }: Pace): RequestBody {
  // Never below nothing: who was quick has no right to stop for it.
  let lateMs = 0;
  return {
    async next() {
      const startedMs = performance.now();
      const tooSlow = Promise.withResolvers<never>();
      const timer = setInterval(() => {
        if (lateMs + performance.now() - startedMs <= patienceMs || !isWanted()) return;
        tooSlow.reject(
          new GitRefusal(408, "The push came in too slowly while others waited for the repository."),
        );
      }, patienceMs / looksPerPatience);
      try {
        const piece = await Promise.race([body.next(), tooSlow.promise]);
        const waitedMs = performance.now() - startedMs;
        lateMs = Math.max(0, lateMs + waitedMs - (piece?.length ?? 0) / leastBytesPerMs);
        return piece;
      } finally {
        clearInterval(timer);
      }
    },
  };
}
