// Waits until a store says something.
import type { StoreApi } from "zustand/vanilla";

/** Resolves to true when it holds, to false when the signal is aborted. */
export function waitUntil<T>(
  store: Pick<StoreApi<T>, "getState" | "subscribe">,
  holds: (state: T) => boolean,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (held: boolean): void => {
      unsubscribe();
      signal.removeEventListener("abort", giveUp);
      resolve(held);
    };
    const giveUp = (): void => {
      end(false);
    };
    const unsubscribe = store.subscribe((state) => {
      if (holds(state)) end(true);
    });
    signal.addEventListener("abort", giveUp);
    if (signal.aborted) end(false);
    else if (holds(store.getState())) end(true);
  });
}
