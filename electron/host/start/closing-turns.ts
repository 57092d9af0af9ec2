// Changes that take their turn: one at a time, whatever became of the one before, and none any more once they are closed.
import { AppError } from "../../../shared/app-error.ts";

export interface Turns {
  /** Throws `conflict` once closed. */
  readonly take: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Runs the last change after those that were asked for before. Idempotent. */
  readonly close: (last: () => Promise<void>) => Promise<void>;
}

export function createTurns(): Turns {
  let turn: Promise<unknown> = Promise.resolve();
  let closed: Promise<void> | undefined;
  const append = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  };
  return {
    take: (work) =>
      append(async () => {
        if (closed !== undefined) throw new AppError("conflict", "Echotop is closing.");
        return work();
      }),
    close: (last) => (closed ??= append(last)),
  };
}
