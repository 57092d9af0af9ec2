// Reads what a panel shows for as long as somebody looks at it: when it opens, after a task of its kind has ended, and
// gently while it stays open.
import type { Task } from "../../shared/contract/task.ts";
import { createReader, type Reader } from "./single-reader.ts";
import type { Flyout } from "./slices/screen-slice.ts";
import type { ViewerState, ViewerStore } from "./store.ts";
import { isUnderWay } from "./slices/tasks-slice.ts";

export interface PanelReaderParts {
  readonly store: ViewerStore;
  readonly flyout: Flyout;
  /** How old what the panel says may be, in milliseconds. */
  readonly everyMs: number;
  readonly isVisible: () => boolean;
  /** Whether the end of the task is news for the panel. */
  readonly isAbout: (task: Task) => boolean;
  /** Handles its own failures. */
  readonly read: (signal: AbortSignal) => Promise<void>;
}

export function createPanelReader(parts: PanelReaderParts): Reader {
  const { store, flyout, everyMs, isVisible, isAbout } = parts;
  const reader = createReader(parts.read);
  const isOpen = (state: ViewerState): boolean => state.flyout === flyout;
  const countMoving = ({ tasks }: ViewerState): number =>
    tasks.filter((task) => isAbout(task) && isUnderWay(task)).length;
  const timer = setInterval(() => {
    if (isOpen(store.getState()) && isVisible()) reader.request();
  }, everyMs);
  const stop = store.subscribe((state, previous) => {
    const hasEnded = countMoving(state) < countMoving(previous);
    if (isOpen(state) && (!isOpen(previous) || hasEnded)) reader.request();
  });
  return {
    request: reader.request,
    close: () => {
      clearInterval(timer);
      stop();
      reader.close();
    },
  };
}
