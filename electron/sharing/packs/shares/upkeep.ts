// Keeps shared copies current: pushes new revisions after the catalog changes, one event at a time and at most
// every few seconds. A failure is stored, logged once and retried with growing pauses.
import { messageOf } from "../../../../shared/app-error.ts";
import type { Effects } from "../../../platform/effects.ts";
import { backoffMs } from "../../../sources/fetching/backoff.ts";

export interface UpkeepOptions {
  /** Returns the shared events; `state` changes with every change of the event. */
  readonly listStates: () => Promise<readonly { readonly eventId: string; readonly state: string }[]>;
  readonly bringUpToDate: (eventId: string, signal: AbortSignal) => Promise<void>;
  readonly effects: Pick<Effects, "sleep" | "random" | "log" | "now">;
}

const pauseMs = 3000;
const retryBounds = { firstMs: 5000, longestMs: 300_000 };

interface Failure {
  readonly problem: string;
  readonly attempts: number;
  readonly nextAtMs: number;
}

export function startUpkeep({ listStates, bringUpToDate, effects }: UpkeepOptions) {
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
    effects.log("warn", "A shared pack could not be brought up to date; retrying.", {
      eventId,
      error,
    });
  };

  const round = async (): Promise<void> => {
    const states = await listStates();
    // Events that are no longer shared need no retry.
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

  /** Waits until `wake` is called or a failure is due for a retry. */
  const waitForWork = async (): Promise<void> => {
    const waiting = new AbortController();
    const due = [...failures.values()].map(({ nextAtMs }) => nextAtMs - effects.now().getTime());
    const retry =
      due.length > 0 ? [effects.sleep(Math.max(0, Math.min(...due)), waiting.signal).catch(ignored)] : [];
    await Promise.race([woken.promise, ...retry]);
    waiting.abort();
    signal.throwIfAborted();
  };
  // Rejects when the wait is aborted.
  const ignored = (): void => undefined;

  const running = run().catch((error: unknown) => {
    if (!signal.aborted) effects.log("error", "Shared packs are no longer kept current.", { error });
  });
  return {
    /** Checks for changes. */
    wake(): void {
      woken.resolve(undefined);
    },
    /** Returns why an event's copy is behind, as a sentence. */
    problemOf: (eventId: string): string | undefined => failures.get(eventId)?.problem,
    /** Forgets an event's failure and state, once it has been pushed or unshared elsewhere. */
    forget(eventId: string): void {
      failures.delete(eventId);
      current.delete(eventId);
    },
    /** Aborts the running push. Idempotent. */
    async close(): Promise<void> {
      closing.abort();
      woken.resolve(undefined);
      await running;
    },
  };
}
