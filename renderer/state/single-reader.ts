// One reading at a time: asking again while a reading runs makes exactly one more follow it, however often it is asked.

export interface Reader {
  readonly request: () => void;
  /** Aborts what runs; later requests do nothing. */
  readonly close: () => void;
}

/** `read` handles its own failures; what it throws after an abort is dropped with it. */
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
