// State of the person's permissions and of running tasks.
import type { StateCreator } from "zustand";
import type { ServiceLimit } from "../../../shared/contract/identifiers.ts";
import type { KnownEvent } from "../../../shared/contract/known-event.ts";
import type { Task } from "../../../shared/contract/task.ts";
import type { ReadPhase } from "../reading/read-phase.ts";

/**
 * - `desktop`: everything, including the system's dialogs.
 * - `acting`: this page holds the token of the run.
 * - `no-token`: the page was opened without a token.
 * - `refused`: the token belongs to another run.
 * - a limit of the service: nobody may act here.
 */
export type Access = "desktop" | "acting" | "no-token" | "refused" | ServiceLimit;

export interface TasksSlice {
  readonly access: Access;
  /** Newest first. */
  readonly tasks: readonly Task[];
  readonly knownEvents: { readonly phase: ReadPhase; readonly list: readonly KnownEvent[] };
  /** Progress of adding files; undefined while none are being added. */
  readonly addingFiles: { readonly done: number; readonly total: number } | undefined;
  /** Outcome of the last action, in a sentence; undefined once dismissed. */
  readonly actionNote: { readonly tone: "bad" | "good"; readonly text: string } | undefined;
  readonly setAccess: (access: Access) => void;
  readonly receiveTasks: (tasks: readonly Task[]) => void;
  /** Stores a task that an action returned. */
  readonly receiveTask: (task: Task) => void;
  readonly receiveKnownEvents: (list: readonly KnownEvent[]) => void;
  readonly failKnownEvents: () => void;
  readonly setAddingFiles: (adding: TasksSlice["addingFiles"]) => void;
  readonly setActionNote: (note: TasksSlice["actionNote"]) => void;
}

export const createTasksSlice: StateCreator<TasksSlice, [], [], TasksSlice> = (set) => ({
  access: "no-token",
  tasks: [],
  knownEvents: { phase: "loading", list: [] },
  addingFiles: undefined,
  actionNote: undefined,

  setAccess: (access) => {
    set({ access });
  },

  receiveTasks: (tasks) => {
    set({ tasks });
  },

  receiveTask: (task) => {
    set(({ tasks }) => ({
      tasks: tasks.some(({ id }) => id === task.id)
        ? tasks.map((known) => (known.id === task.id ? task : known))
        : [task, ...tasks],
    }));
  },

  receiveKnownEvents: (list) => {
    set({ knownEvents: { phase: "ready", list } });
  },

  failKnownEvents: () => {
    set(({ knownEvents }) => ({ knownEvents: { ...knownEvents, phase: "failed" } }));
  },

  setAddingFiles: (addingFiles) => {
    set({ addingFiles });
  },

  setActionNote: (actionNote) => {
    set({ actionNote });
  },
});

export function mayAct(access: Access): boolean {
  return access === "desktop" || access === "acting";
}

/** Returns false where nobody may act, so that no action is shown. */
export function offersActions(access: Access): boolean {
  return access !== "read-only" && access !== "public";
}

export function isUnderWay({ state }: Task): boolean {
  return state === "running" || state === "paused";
}

/** Tasks of packs do not write to their event, except for "pack-get". */
export function isPackTask({ kind }: Task): boolean {
  return kind.startsWith("pack-");
}

export function isBriefingTask({ kind }: Task): boolean {
  return kind === "briefing-publish";
}

/** Returns the newest task that writes to an event. */
export function findTask(tasks: readonly Task[], eventId: string): Task | undefined {
  const writes = (task: Task): boolean =>
    task.kind === "pack-get" || !(isPackTask(task) || isBriefingTask(task) || task.kind === "overlay-fetch");
  return tasks.find((task) => task.eventId === eventId && writes(task));
}

/** Returns the newest task that publishes an event's briefing. */
export function findBriefingTask(tasks: readonly Task[], eventId: string): Task | undefined {
  return tasks.find((task) => task.eventId === eventId && isBriefingTask(task));
}

/** Returns the newest task of an event's pack. */
export function findPackTask(tasks: readonly Task[], eventId: string): Task | undefined {
  return tasks.find((task) => task.eventId === eventId && isPackTask(task));
}

/** Returns the progress from 0 to 100, or undefined while the total is unknown. */
export function percentOf({ progress: { done, total } }: Task): number | undefined {
  return total === 0 ? undefined : Math.min(100, Math.floor((done / total) * 100));
}
