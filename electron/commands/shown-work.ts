// The long work of a command: its progress on standard error, its JSON lines on standard output, and the sentence that an
// interrupt leaves.
import type { CommandContext } from "./command.ts";
import { writeJsonLine, writeNote } from "./output.ts";

export interface ShownWork {
  /** What the bar says: "Fetching". */
  readonly label: string;
  /** What an interrupt leaves behind, as a sentence. */
  readonly whenInterrupted: string;
  /** Resolves with the command's exit status. */
  readonly run: (show: WorkDisplay) => Promise<number>;
}

export interface WorkDisplay {
  readonly progress: (done: number, total: number) => void;
  /** Writes a JSON line where the bar was. */
  readonly line: (value: unknown) => void;
  /** Writes a sentence for people where the bar was. */
  readonly note: (text: string) => void;
}

/** What an interrupted ingest or fetch leaves behind. */
export const publishedSoFar =
  "What was reported as complete is published; the same command goes on from there.";

/** Work that throws because of the interrupt ends with its sentence and exit status 1; whatever else it throws is thrown. */
export async function showWork(
  { effects, signal }: CommandContext,
  { label, whenInterrupted, run }: ShownWork,
): Promise<number> {
  const bar = effects.showProgress(label);
  const note = (text: string): void => {
    bar.end();
    writeNote(text);
  };
  const display: WorkDisplay = {
    progress: (done, total) => {
      bar.update(done, total);
    },
    line: (value) => {
      bar.end();
      writeJsonLine(value);
    },
    note,
  };
  try {
    return await run(display);
  } catch (error) {
    if (!signal.aborted) throw error;
    note(`Interrupted. ${whenInterrupted}`);
    return 1;
  } finally {
    bar.end();
  }
}
