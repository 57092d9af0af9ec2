// Slots: a limit on what runs at once, in total and per key, with a bounded queue. Among the waiters, the one whose
// client holds the fewest slots is next, so that one client cannot keep the others waiting; then the first to arrive.

export interface SlotLimits {
  readonly total: number;
  readonly perKey: number;
  /** The longest queue; requests beyond it are refused. */
  readonly waiting: number;
}

export interface Slots {
  /**
   * Resolves with the function that releases the slot (idempotent). Without `client`, all are one client.
   * @throws the error of `refuse` if the queue is full; the signal's reason if it is aborted
   */
  take(key: string, signal: AbortSignal, client?: string): Promise<() => void>;
  /** True if someone is waiting for a slot that a holder of this key could release. */
  isWanted(key: string): boolean;
}

interface Waiter {
  readonly key: string;
  readonly client: string;
  readonly start: (release: () => void) => void;
}

/** `refuse` creates the error for a full queue. */
export function createSlots({ total, perKey, waiting }: SlotLimits, refuse: () => Error): Slots {
  const running = createTally();
  const held = createTally();
  const queue: Waiter[] = [];
  let runningTotal = 0;

  const isFree = (key: string): boolean => runningTotal < total && running.count(key) < perKey;

  function occupy(key: string, client: string): () => void {
    runningTotal += 1;
    running.add(key, 1);
    held.add(client, 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      runningTotal -= 1;
      running.add(key, -1);
      held.add(client, -1);
      startWaiting();
    };
  }

  /** A waiter whose key is busy does not block those behind it with another key. */
  function findNext(): Waiter | undefined {
    let next: Waiter | undefined;
    for (const waiter of queue) {
      if (!isFree(waiter.key)) continue;
      if (next === undefined || held.count(waiter.client) < held.count(next.client)) next = waiter;
    }
    return next;
  }

  function startWaiting(): void {
    for (let next = findNext(); next !== undefined; next = findNext()) {
      queue.splice(queue.indexOf(next), 1);
      next.start(occupy(next.key, next.client));
    }
  }

  return {
    isWanted: (key) =>
      runningTotal >= total ? queue.length > 0 : queue.some((waiter) => waiter.key === key),
    async take(key, signal, client = "") {
      signal.throwIfAborted();
      if (isFree(key)) return occupy(key, client);
      if (queue.length >= waiting) throw refuse();
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          queue.splice(queue.indexOf(waiter), 1);
          reject(signal.reason as Error);
        };
        const waiter: Waiter = {
          key,
          client,
          start: (release) => {
            signal.removeEventListener("abort", leave);
            resolve(release);
          },
        };
        queue.push(waiter);
        signal.addEventListener("abort", leave, { once: true });
      });
    },
  };
}

function createTally() {
  const counts = new Map<string, number>();
  const count = (name: string): number => counts.get(name) ?? 0;
  return {
    count,
    add(name: string, change: 1 | -1): void {
      const left = count(name) + change;
      if (left === 0) counts.delete(name);
      else counts.set(name, left);
    },
  };
}
