// Turns: so many at once and no more, in the order of asking.

export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createTurns(atOnce: number): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      // Who waits takes over this place, so that the count stays as it is.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
