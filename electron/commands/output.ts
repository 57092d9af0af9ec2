// Standard output is for programs, one JSON value a line; standard error is for people.
import type { Log } from "../platform/effects.ts";
import { showControls } from "./visible-controls.ts";

let noteLog: Log | undefined;

/** Makes notes and problems entries of a log, for a process whose standard error is for programs too. */
export function sendNotesTo(log: Log): void {
  noteLog = log;
}

/** Writes one JSON line. */
export function writeJsonLine(value: unknown): void {
  // JSON escapes only the C0 control characters; C1 ones control a terminal too.
  process.stdout.write(`${showControls(JSON.stringify(value))}\n`);
}

export function writeNote(text: string): void {
  if (noteLog) noteLog("info", text);
  else process.stderr.write(`${text}\n`);
}

/** Writes the reason why a command failed. */
export function writeProblem(text: string): void {
  if (noteLog) noteLog("error", text);
  else process.stderr.write(`echotop: ${text}\n`);
}

/** Ignores a closed pipe on standard output (`… | head -1`): the work continues. */
export function tolerateClosedPipe(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
