// Gives up a client that sends or reads slowly while others wait for its slot. A client that delays nobody may be slow.
import { GitRefusal } from "./git-refusal.ts";
import type { RequestBody } from "./git-request-body.ts";

export interface Pace {
  /** True while someone waits for the client's slot. */
  readonly isWanted: () => boolean;
  /** Time by which the client may fall behind the lowest speed. */
  readonly patienceMs: number;
}

export interface ClientPace {
  /**
   * Returns the result of a step that waits for the client. `byteLengthOf` returns the number of bytes it moved.
   * @throws GitRefusal 408 for a client that is too slow
   */
  readonly wait: <Result>(step: Promise<Result>, byteLengthOf: (result: Result) => number) => Promise<Result>;
}

/** Half a megabit per second: slower than any network on which packs make sense. */
const lowestBytesPerMs = 64;
const checksPerPatience = 20;

/** Measures one client. Only the time spent waiting for it counts. */
export function createPace({ isWanted, patienceMs }: Pace): ClientPace {
  // Never negative: a fast start earns no credit.
  let lateMs = 0;
  return {
    async wait(step, byteLengthOf) {
      const startedMs = performance.now();
      const tooSlow = Promise.withResolvers<never>();
      const timer = setInterval(() => {
        if (lateMs + performance.now() - startedMs <= patienceMs || !isWanted()) return;
        tooSlow.reject(new GitRefusal(408, "The transfer ran too slowly while others waited."));
      }, patienceMs / checksPerPatience);
      try {
        const result = await Promise.race([step, tooSlow.promise]);
        const waitedMs = performance.now() - startedMs;
        lateMs = Math.max(0, lateMs + waitedMs - byteLengthOf(result) / lowestBytesPerMs);
        return result;
      } finally {
        clearInterval(timer);
      }
    },
  };
}

/** Returns the same body. @throws GitRefusal 408 from `next` for a client that is too slow */
export function atPace(body: RequestBody, pace: Pace): RequestBody {
  const { wait } = createPace(pace);
  return { next: () => wait(body.next(), (piece) => piece?.length ?? 0) };
}
