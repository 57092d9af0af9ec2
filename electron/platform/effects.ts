// Effects on the outside world other than the disk: clock, waiting, randomness, network, and standard error. Code that
// waits or polls takes them as arguments, so that a test can run a day on its own clock.
import { setTimeout as delay } from "node:timers/promises";
import { createProgress, type Progress } from "./progress.ts";

export type LogLevel = "info" | "warn" | "error";

/** Writes to the log of the host. `facts` may name local paths and never reach a client. */
export type Log = (level: LogLevel, message: string, facts?: Readonly<Record<string, unknown>>) => void;

export interface Effects {
  readonly now: () => Date;
  readonly log: Log;
  /** Resolves after the delay; rejects with the signal's reason if that is aborted before. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Returns a uniform random number, 0 <= x < 1. */
  readonly random: () => number;
  readonly fetch: typeof globalThis.fetch;
  /** Shows the progress of work that takes longer than a second. */
  readonly showProgress: (label: string) => Progress;
}

/** Formats an entry as one line: level, message, then facts as JSON. */
export function formatLogLine(
  level: LogLevel,
  message: string,
  facts?: Readonly<Record<string, unknown>>,
): string {
  const tail = facts && Object.keys(facts).length > 0 ? ` ${JSON.stringify(facts, errorsAsMessages)}` : "";
  return `${level === "info" ? "" : `${level}: `}${message}${tail}`;
}

function errorsAsMessages(_key: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}

export function createSystemEffects(): Effects {
  return {
    now: () => new Date(),
    log: (level, message, facts) => {
      process.stderr.write(`${formatLogLine(level, message, facts)}\n`);
    },
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      try {
        await delay(ms, undefined, { signal });
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    },
    random: Math.random,
    fetch: globalThis.fetch,
    showProgress: (label) =>
      createProgress({ label, stream: process.stderr, nowMs: () => performance.now() }),
  };
}
