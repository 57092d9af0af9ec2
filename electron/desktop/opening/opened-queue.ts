// Links and files that were opened and are not on screen yet. They wait for the page, which takes all of them at once.
import type { Opened } from "../../../shared/contract/desktop.ts";

/** Most things that wait: a program that opens more in one go is not a person. */
const capacity = 20;

export interface OpenedQueue {
  /** Drops the oldest beyond the limit. */
  readonly add: (opened: Opened) => void;
  readonly take: () => Opened[];
}

/** `onAdd` tells the page, which may not be there yet. */
export function createOpenedQueue(onAdd: () => void): OpenedQueue {
  let waiting: Opened[] = [];
  return {
    add: (opened) => {
      waiting = [...waiting, opened].slice(-capacity);
      onAdd();
    },
    take: () => {
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}
