// The task that works on a pack, and why the pack has to wait for it.
import type { Pack } from "../../../shared/contract/packs.ts";
import type { Task } from "../../../shared/contract/task.ts";
import { findPackTask, isUnderWay } from "../../state/slices/tasks-slice.ts";
import { useViewerState } from "../../viewer-context.ts";

/** The newest one. */
export function usePackTask({ eventId }: Pack): Task | undefined {
  return useViewerState((state) => findPackTask(state.tasks, eventId));
}

/** Why the pack cannot be worked on now; undefined when it can. */
export function findBusyReason({ latestSequence }: Pack, task: Task | undefined): string | undefined {
  if (task !== undefined && isUnderWay(task)) return "A task is working on this pack.";
  return latestSequence === 0 ? "It has no revision yet." : undefined;
}
