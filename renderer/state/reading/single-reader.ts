// Runs one reading at a time. Requests during a reading start exactly one more after it.

export interface Reader {
  readonly request: () => void;
  /** Aborts the running reading; later requests do nothing. */
  readonly close: () => void;
}

/** `read` handles its own failures. */
export function createReader(read: (signal: AbortSignal) => Promise<void>): Reader {
  const controller = new AbortController();
  const { signal } = controller;
  let running: Promise<void> | undefined;
  let again = false;

  async function run(): Promise<void> {
    try {
      await read(signal);
    } finally {
      running = undefined;
    }
    if (again) start();
  }

  function start(): void {
    if (signal.aborted) return;
    again = false;
    running = run();
  }

  return {
    request: () => {
      if (running) again = true;
      else start();
    },
    close: () => {
      controller.abort();
    },
  };
}
