// What a verification finds: faults, and notes that are none; and how it says how far it is.

export interface Finding {
  /** A fault breaks a promise of the directory. A note is worth knowing and breaks none: an orphan, a leftover. */
  readonly severity: "fault" | "note";
  /** The file relative to the data directory, with `/`, or `catalog.sqlite` and the row. */
  readonly where: string;
  /** A sentence. */
  readonly what: string;
}

export interface Findings {
  readonly list: readonly Finding[];
  fault(where: string, what: string): void;
  note(where: string, what: string): void;
}

export function createFindings(): Findings {
  const list: Finding[] = [];
  return {
    list,
    fault: (where, what) => list.push({ severity: "fault", where, what }),
    note: (where, what) => list.push({ severity: "note", where, what }),
  };
}

export interface Steps {
  /** Adds to what there is to do. */
  expect(count: number): void;
  /** Counts one thing as done, and now and then lets other work of the process go on. @throws the signal's reason */
  step(): Promise<void>;
}

const breathEvery = 64;

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
      if (done % breathEvery === 0) await new Promise(setImmediate);
      signal?.throwIfAborted();
    },
  };
}
