// A transfer whose link breaks is tried again a few times, after a pause; each bit of progress gives it new patience.
import type { Effects } from "../../../platform/effects.ts";
import { backoffMs } from "../../../sources/fetching/backoff.ts";
import { isLostLink } from "./remote-error.ts";

const retries = 2;
const bounds = { firstMs: 1000, longestMs: 10_000 };

/** @param progress grows whenever something was kept @throws what the last attempt threw */
export async function keepTrying<Result>(
  attempt: () => Promise<Result>,
  progress: () => number,
  { effects, signal }: { readonly effects: Pick<Effects, "sleep" | "random">; readonly signal: AbortSignal },
): Promise<Result> {
  let failures = 0;
  for (;;) {
    const before = progress();
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!isLostLink(error)) throw error;
      failures = progress() > before ? 1 : failures + 1;
      if (failures > retries) throw error;
      await effects.sleep(backoffMs(failures, bounds, effects.random), signal);
    }
  }
}
