// What the host does to the outside world beside disk and network: the clock, and what people read on standard error.
import { createProgress, type Progress } from "./progress.ts";

export type LogLevel = "info" | "warn" | "error";

/** Facts are for people who run the host; they may name local paths and never reach a client. */
export type Log = (level: LogLevel, message: string, facts?: Readonly<Record<string, unknown>>) => void;

export interface Effects {
  /** The current instant. */
  readonly now: () => Date;
  readonly log: Log;
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
    showProgress: (label) =>
      createProgress({ label, stream: process.stderr, nowMs: () => performance.now() }),
  };
}
