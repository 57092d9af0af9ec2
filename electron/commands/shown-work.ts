// Long work of a command: progress on standard error, JSON lines on standard output, and a message after an interrupt.
import type { WorkContext } from "./command.ts";
import { writeJsonLine, writeNote } from "./output.ts";

export interface ShownWork {
  /** Text before the progress bar, such as "Fetching". */
  readonly label: string;
  /** State after an interrupt, as a sentence. */
  readonly whenInterrupted: string | (() => string);
  /** Resolves with the command's exit status. */
  readonly run: (show: WorkDisplay) => Promise<number>;
}

export interface WorkDisplay {
  readonly progress: (done: number, total: number) => void;
  /** Clears the bar and writes a JSON line. */
  readonly line: (value: unknown) => void;
  /** Clears the bar and writes text to standard output, such as a line of CSV. */
  readonly text: (text: string) => void;
  /** Clears the bar and writes a sentence for people. */
  readonly note: (text: string) => void;
}

export const publishedSoFar = "Files reported as complete are published; the same command continues.";

/** Runs the work. If it throws because of an interrupt, writes the message and resolves with 1. */
export async function showWork(
  { effects, signal }: WorkContext,
  { label, whenInterrupted, run }: ShownWork,
): Promise<number> {
  const bar = effects.showProgress(label);
  const note = (text: string): void => {
    bar.end();
    writeNote(text);
  };
  const line = (value: unknown): void => {
    bar.end();
    writeJsonLine(value);
  };
  const write = (text: string): void => {
    bar.end();
    process.stdout.write(text);
  };
  const progress = (done: number, total: number): void => {
    bar.update(done, total);
  };
  try {
    return await run({ progress, line, text: write, note });
  } catch (error) {
    if (!signal.aborted) throw error;
    note(`Interrupted. ${typeof whenInterrupted === "string" ? whenInterrupted : whenInterrupted()}`);
    return 1;
  } finally {
    bar.end();
  }
}
