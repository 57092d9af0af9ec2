// The log of the application in files of bounded size: `echotop.log`, and older ones with a number.
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";

export interface LogFilesOptions {
  readonly folder: string;
  readonly maxFileBytes?: number;
  readonly fileCount?: number;
}

export interface LogFiles {
  readonly folder: string;
  /** Appends a line with its end. A log that cannot be written must not stop the work that it reports: never throws. */
  readonly write: (line: string) => void;
  /** Returns the newest lines, oldest first. */
  readonly readLast: (count: number) => readonly string[];
}

export function openLogFiles({
  folder,
  maxFileBytes = 1024 * 1024,
  fileCount = 5,
}: LogFilesOptions): LogFiles {
  const toPath = (age: number): string => join(folder, age === 0 ? "echotop.log" : `echotop.${age}.log`);
  const rotate = (): void => {
    for (let age = fileCount - 2; age >= 0; age -= 1) {
      if (sizeOf(toPath(age)) > 0) renameSync(toPath(age), toPath(age + 1));
    }
  };
  return {
    folder,
    write: (line) => {
      try {
        mkdirSync(folder, { recursive: true });
        if (sizeOf(toPath(0)) + Buffer.byteLength(line) > maxFileBytes) rotate();
        appendFileSync(toPath(0), line);
      } catch {
        // Standard error has the line, too.
      }
    },
    readLast: (count) => {
      const newest = linesOf(toPath(0));
      const lines = newest.length < count ? [...linesOf(toPath(1)), ...newest] : newest;
      return lines.slice(-count);
    },
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    return [];
  }
}
