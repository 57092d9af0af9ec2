// Keeps shared copies current: after a change of the catalog, what is new is pushed, one event at a time and not more often than
// every few seconds; a failure is remembered, told once and tried again, later and later.
import { messageOf } from "../../../../shared/app-error.ts";
import type { Effects } from "../../../platform/effects.ts";
import { backoffMs } from "../../../sources/fetching/backoff.ts";

export interface UpkeepOptions {
  /** The events to be kept current, each with what tells one state of it from the next. */
  readonly listStates: () => Promise<readonly { readonly eventId: string; readonly state: string }[]>;
  readonly bringUpToDate: (eventId: string, signal: AbortSignal) => Promise<void>;
  readonly effects: Pick<Effects, "sleep" | "random" | "log" | "now">;
}

export interface Upkeep {
  /** Something may have changed. */
  wake(): void;
  /** Why an event's copy is behind, as a sentence. */
  problemOf(eventId: string): string | undefined;
  /** Somebody else has brought an event up to date, or ended its sharing: what was wrong is past. */
  forget(eventId: string): void;
  /** Ends what runs. Idempotent. */
  close(): Promise<void>;
}

const pauseMs = 3000;
const retryBounds = { firstMs: 5000, longestMs: 300_000 };

interface Failure {
  readonly problem: string;
  readonly attempts: number;
  readonly nextAtMs: number;
}

export function startUpkeep({ listStates, bringUpToDate, effects }: UpkeepOptions): Upkeep {
  const closing = new AbortController();
  const { signal } = closing;
  const current = new Map<string, string>();
  const failures = new Map<string, Failure>();
  let woken = Promise.withResolvers<undefined>();
  woken.resolve(undefined);

  const fail = (eventId: string, error: unknown): void => {
    const problem = messageOf(error);
    const before = failures.get(eventId);
    const attempts = (before?.attempts ?? 0) + 1;
    const nextAtMs = effects.now().getTime() + backoffMs(attempts, retryBounds, effects.random);
    failures.set(eventId, { problem, attempts, nextAtMs });
    if (before?.problem === problem) return;
    effects.log("warn", "A shared pack could not be brought up to date; it is tried again.", {
      eventId,
      error,
    });
  };

  const round = async (): Promise<void> => {
    const states = await listStates();
    // What is not to be kept current any more is not waited for either.
    const listed = new Set(states.map(({ eventId }) => eventId));
    for (const eventId of failures.keys()) if (!listed.has(eventId)) failures.delete(eventId);
    for (const { eventId, state } of states) {
      signal.throwIfAborted();
      if (current.get(eventId) === state) continue;
      if ((failures.get(eventId)?.nextAtMs ?? 0) > effects.now().getTime()) continue;
      try {
        await bringUpToDate(eventId, signal);
        current.set(eventId, state);
        failures.delete(eventId);
      } catch (error) {
        signal.throwIfAborted();
        fail(eventId, error);
      }
    }
  };

  const run = async (): Promise<void> => {
    for (;;) {
      await waitForWork();
      woken = Promise.withResolvers();
      try {
        await round();
      } catch (error) {
        signal.throwIfAborted();
        effects.log("warn", "The list of shared packs could not be read.", { error });
      }
      await effects.sleep(pauseMs, signal);
    }
  };

  /** Until something has changed, or a failure is due again. */
  const waitForWork = async (): Promise<void> => {
    const aborted = Promise.withResolvers<never>();
    const waiting = new AbortController();
    const abort = (): void => {
      waiting.abort();
      aborted.reject(signal.reason as Error);
    };
    signal.addEventListener("abort", abort, { once: true });
    try {
      const due = [...failures.values()].map(({ nextAtMs }) => nextAtMs - effects.now().getTime());
      const retry =
        due.length > 0 ? [effects.sleep(Math.max(0, Math.min(...due)), waiting.signal).catch(ignored)] : [];
      signal.throwIfAborted();
      await Promise.race([woken.promise, aborted.promise, ...retry]);
    } finally {
      signal.removeEventListener("abort", abort);
      waiting.abort();
    }
  };
  // The end of a wait that nobody needs any more.
  const ignored = (): void => undefined;

  const running = run().catch((error: unknown) => {
    if (!signal.aborted) effects.log("error", "Shared packs are not kept current any more.", { error });
  });
  return {
    wake() {
      woken.resolve(undefined);
    },
    problemOf: (eventId) => failures.get(eventId)?.problem,
    forget(eventId) {
      failures.delete(eventId);
      current.delete(eventId);
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}
