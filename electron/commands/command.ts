// A command: its definition for commander, and the work of a parsed command line.
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { Effects } from "../platform/effects.ts";

export interface WorkContext {
  readonly effects: Effects;
  /** Aborted by the first interrupt. */
  readonly signal: AbortSignal;
}

/**
 * Does the work of a parsed command line; resolves with the exit status: 0 done, 1 something failed.
 * @throws UsageError for a wrong command line; AppError for a failure with a message
 */
export type Work = (context: WorkContext) => Promise<number>;

/**
 * Returns a command whose action checks its options and submits the work. Definitions are loaded for every command
 * line: they import what parsing needs, and their work imports the rest.
 */
export type DefineCommand = (submit: (work: Work) => void) => CommandUnknownOpts;
