// Slots: a limit on what runs at once, in total and per key, with a bounded queue in the order of arrival.

export interface SlotLimits {
  readonly total: number;
  readonly perKey: number;
  /** The longest queue; requests beyond it are refused. */
  readonly waiting: number;
}

export interface Slots {
  /**
   * Resolves with the function that releases the slot (idempotent).
   * @throws the error of `refuse` if the queue is full; the signal's reason if it is aborted
   */
  take(key: string, signal: AbortSignal): Promise<() => void>;
  /** True if someone is waiting for a slot that a holder of this key could release. */
  isWanted(key: string): boolean;
}

interface Waiter {
  readonly key: string;
  readonly start: (release: () => void) => void;
}

/** `refuse` creates the error for a full queue. */
export function createSlots({ total, perKey, waiting }: SlotLimits, refuse: () => Error): Slots {
  const running = new Map<string, number>();
  const queue: Waiter[] = [];
  let runningTotal = 0;

  const isFree = (key: string): boolean => runningTotal < total && (running.get(key) ?? 0) < perKey;

  function occupy(key: string): () => void {
    runningTotal += 1;
    running.set(key, (running.get(key) ?? 0) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      runningTotal -= 1;
      const left = (running.get(key) ?? 1) - 1;
      if (left === 0) running.delete(key);
      else running.set(key, left);
      startWaiting();
    };
  }

  /** A waiter whose key is busy does not block those behind it with another key. */
  function startWaiting(): void {
    for (let index = 0; index < queue.length && runningTotal < total;) {
      const waiter = queue[index]!;
      if (!isFree(waiter.key)) {
        index += 1;
        continue;
      }
      queue.splice(index, 1);
      waiter.start(occupy(waiter.key));
    }
  }

  return {
    isWanted: (key) =>
      runningTotal >= total ? queue.length > 0 : queue.some((waiter) => waiter.key === key),
    async take(key, signal) {
      signal.throwIfAborted();
      if (isFree(key)) return occupy(key);
      if (queue.length >= waiting) throw refuse();
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          queue.splice(queue.indexOf(waiter), 1);
          reject(signal.reason as Error);
        };
        const waiter: Waiter = {
          key,
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
