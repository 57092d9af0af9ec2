// Interrupts of a process as an AbortSignal: the first one asks for a clean end, a second one ends at once.

const interrupts = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function createInterruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of interrupts) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(1);
      controller.abort();
    });
  }
  return controller.signal;
}

export function whenAborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  if (signal.aborted) resolve(undefined);
  signal.addEventListener(
    "abort",
    () => {
      resolve(undefined);
    },
    { once: true },
  );
  return promise;
}
