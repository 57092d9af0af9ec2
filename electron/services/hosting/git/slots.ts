// A bound on what runs at once, in all and for one repository, with waiting in the order of arrival: fifty clones at the
// same moment take turns instead of taking the machine.
import { GitRefusal } from "./git-refusal.ts";

export interface SlotLimits {
  readonly inAll: number;
  readonly perRepository: number;
  /** More than so many waiting are refused. */
  readonly waiting: number;
}

export interface Slots {
  /**
   * Resolves with the function that gives the slot back (idempotent).
   * @throws GitRefusal 503 when too many wait; the signal's reason when it is aborted
   */
  take(repository: string, signal: AbortSignal): Promise<() => void>;
  /** Whether somebody waits for what a holder of a slot of this repository has. */
  isWanted(repository: string): boolean;
}

interface Waiter {
  readonly repository: string;
  readonly start: (release: () => void) => void;
}

export function createSlots({ inAll, perRepository, waiting }: SlotLimits): Slots {
  const running = new Map<string, number>();
  const queue: Waiter[] = [];
  let total = 0;

  const isFree = (repository: string): boolean =>
    total < inAll && (running.get(repository) ?? 0) < perRepository;

  function occupy(repository: string): () => void {
    total += 1;
    running.set(repository, (running.get(repository) ?? 0) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      total -= 1;
      const left = (running.get(repository) ?? 1) - 1;
      if (left === 0) running.delete(repository);
      else running.set(repository, left);
      startWaiting();
    };
  }

  /** One that waits for its repository does not hold up those behind it that want another. */
  function startWaiting(): void {
    for (let index = 0; index < queue.length && total < inAll;) {
      const waiter = queue[index]!;
      if (!isFree(waiter.repository)) {
        index += 1;
        continue;
      }
      queue.splice(index, 1);
      waiter.start(occupy(waiter.repository));
    }
  }

  return {
    isWanted: (repository) =>
      total >= inAll ? queue.length > 0 : queue.some((one) => one.repository === repository),
    async take(repository, signal) {
      signal.throwIfAborted();
      if (isFree(repository)) return occupy(repository);
      if (queue.length >= waiting) {
        throw new GitRefusal(503, "Too many wait for this service already; try again in a moment.", {
          "Retry-After": "10",
        });
      }
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          queue.splice(queue.indexOf(waiter), 1);
          reject(signal.reason as Error);
        };
        const waiter: Waiter = {
          repository,
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
