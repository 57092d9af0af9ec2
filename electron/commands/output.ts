// Standard output is for programs, one JSON value a line; standard error is for people.
import { showControls } from "./visible-controls.ts";

/** Writes one JSON line. */
export function writeJsonLine(value: unknown): void {
  // JSON escapes only the C0 control characters; C1 ones control a terminal too.
  process.stdout.write(`${showControls(JSON.stringify(value))}\n`);
}

export function writeNote(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Ignores a closed pipe on standard output (`… | head -1`): the work continues. */
export function tolerateClosedPipe(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
