// What every command is: a name, a line of usage, and a function from arguments to an exit status.
import type { Effects } from "../effects.ts";

export interface CommandContext {
  readonly effects: Effects;
  /** Aborted by the first interrupt: finish cleanly. */
  readonly signal: AbortSignal;
}

export interface Command {
  readonly usage: string;
  readonly summary: string;
  /** 0 done, 1 something failed. Throws UsageError for a wrong command line, AppError for a failure with a sentence. */
  readonly run: (args: readonly string[], context: CommandContext) => Promise<number>;
}
