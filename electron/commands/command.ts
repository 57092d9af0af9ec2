// What every command is: a function from its arguments to an exit status.
import type { Effects } from "../platform/effects.ts";

export interface CommandContext {
  readonly effects: Effects;
  /** Aborted by the first interrupt: finish cleanly. */
  readonly signal: AbortSignal;
}

/** 0 done, 1 something failed. Throws UsageError for a wrong command line, AppError for a failure with a sentence. */
export type Command = (args: readonly string[], context: CommandContext) => Promise<number>;
