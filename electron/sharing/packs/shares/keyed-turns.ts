// One piece of work after the other for each name: what shares an event, keeps its copy current and ends its sharing must not meet.

export interface Turns {
  /** Begins once what was asked for before it under this name has ended, however it ended. */
  take<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take(name, work) {
      const before = last.get(name);
      const done = before === undefined ? work() : before.then(work);
      // What a piece of work throws is its caller's to hear, and does not stop the next.
      const settled = done.catch(() => undefined);
      last.set(name, settled);
      try {
        return await done;
      } finally {
        if (last.get(name) === settled) last.delete(name);
      }
    },
  };
}
