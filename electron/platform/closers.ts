// Closes what a composition has opened, in reverse order.

export interface Closers {
  readonly add: (close: () => Promise<void> | void) => void;
  /** Closes one after the other, the last added first. Stops at the first failure. Idempotent. */
  readonly close: () => Promise<void>;
}

export function createClosers(): Closers {
  const closers: (() => Promise<void> | void)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.reverse()) await close();
  };
  let closed: Promise<void> | undefined;
  return { add: (close) => void closers.push(close), close: () => (closed ??= closeAll()) };
}
