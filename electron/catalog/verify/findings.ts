// Findings of a verification, and its progress.
import { isAppError, messageOf } from "../../../shared/app-error.ts";
import { toStorageError } from "../../platform/disk/storage-error.ts";
import { catalogPlace } from "./finding-places.ts";

export interface Finding {
  /** A fault breaks a promise of the directory. A note is harmless but worth knowing: an orphan, a leftover. */
  readonly severity: "fault" | "note";
  /** File relative to the data directory, with `/`, or key of an object, or the catalog and the row. */
  readonly where: string;
  /** One sentence. */
  readonly what: string;
}

export interface Findings {
  /** Name of the catalog in places. */
  readonly catalog: string;
  readonly list: readonly Finding[];
  fault(where: string, what: string): void;
  note(where: string, what: string): void;
}

export function createFindings(catalog = catalogPlace): Findings {
  const list: Finding[] = [];
  return {
    ...{ catalog, list },
    fault: (where, what) => list.push({ severity: "fault", where, what }),
    note: (where, what) => list.push({ severity: "note", where, what }),
  };
}

/** Explains an error of disk or database in a sentence. Throws any other error. */
export function explainDamage(error: unknown, what = "It cannot be read"): string {
  const known = toStorageError(error, what);
  if (isAppError(known)) return known.detail;
  // SQLite's own words, for example for a missing table.
  if (error instanceof Error && "errcode" in error) return `${what}: ${messageOf(error)}.`;
  throw error;
}

export interface Steps {
  /** Adds to the total. */
  expect(count: number): void;
  /** Counts one item as done, and regularly yields to the event loop. @throws the signal's reason */
  step(): Promise<void>;
}

const stepsPerYield = 64;

export function createSteps(
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal | undefined,
): Steps {
  let done = 0;
  let total = 0;
  return {
    expect(count) {
      total += count;
    },
    async step() {
      done += 1;
      onProgress(done, Math.max(done, total));
      if (done % stepsPerYield === 0) await new Promise(setImmediate);
      signal?.throwIfAborted();
    },
  };
}
