// Standard output is for programs, one JSON value a line; standard error is for people.
import { showControls } from "./visible-controls.ts";

/** Writes one JSON line. A reader that has gone away ends the writing, not the work. */
export function writeJsonLine(value: unknown): void {
  // JSON itself escapes the lower control characters alone; the upper ones steer a terminal too.
  process.stdout.write(`${showControls(JSON.stringify(value))}\n`);
}

export function writeNote(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Makes a closed pipe on standard output (`… | head -1`) harmless. */
export function tolerateClosedPipe(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
