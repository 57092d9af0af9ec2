// What the host does to the outside world beside the disk: clock, waiting, chance, network, and what people read on
// standard error. Whatever waits or polls takes these as arguments, so that a test runs a day on a clock of its own.
import { setTimeout as delay } from "node:timers/promises";
import { createProgress, type Progress } from "./progress.ts";

export type LogLevel = "info" | "warn" | "error";

/** Facts are for people who run the host; they may name local paths and never reach a client. */
export type Log = (level: LogLevel, message: string, facts?: Readonly<Record<string, unknown>>) => void;

export interface Effects {
  /** The current instant. */
  readonly now: () => Date;
  readonly log: Log;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it is aborted before. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Evenly from 0 up to, not including, 1. */
  readonly random: () => number;
  /** The network. */
  readonly fetch: typeof globalThis.fetch;
  /** A bar, or lines, for work that takes longer than a second. */
  readonly showProgress: (label: string) => Progress;
}

/** One plain line an entry: level, sentence, then facts as JSON where there are any. */
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
