// What may the person do here beyond looking, and what is being done?
import type { StateCreator } from "zustand";
import type { KnownEvent } from "../../../shared/contract/known-event.ts";
import type { Task } from "../../../shared/contract/task.ts";
import type { ReadPhase } from "../read-phase.ts";

/**
 * - `desktop`: everything, the system's dialogs too.
 * - `acting`: this page holds the run's token.
 * - `no-token`: the page was opened without one.
 * - `refused`: the token is not that of the run that serves this page now.
 */
export type Access = "desktop" | "acting" | "no-token" | "refused";

export interface TasksSlice {
  readonly access: Access;
  /** Newest first. */
  readonly tasks: readonly Task[];
  readonly knownEvents: { readonly phase: ReadPhase; readonly list: readonly KnownEvent[] };
  /** How far adding files has come; undefined while none are being added. */
  readonly addingFiles: { readonly done: number; readonly total: number } | undefined;
  /** What went wrong with the last action, or what came of it, in a sentence; undefined once it was put away. */
  readonly actionNote: { readonly tone: "bad" | "good"; readonly text: string } | undefined;
  readonly setAccess: (access: Access) => void;
  readonly receiveTasks: (tasks: readonly Task[]) => void;
  /** One task as an action has just given it back. */
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

export function isUnderWay({ state }: Task): boolean {
  return state === "running" || state === "paused";
}

/** Tasks of packs leave the event as it is, but for one that is being got. */
export function isPackTask({ kind }: Task): boolean {
  return kind.startsWith("pack-");
}

export function isBriefingTask({ kind }: Task): boolean {
  return kind === "briefing-publish";
}

/** The newest task that writes to an event. */
export function findTask(tasks: readonly Task[], eventId: string): Task | undefined {
  const writes = (task: Task): boolean =>
    task.kind === "pack-get" || !(isPackTask(task) || isBriefingTask(task));
  return tasks.find((task) => task.eventId === eventId && writes(task));
}

/** The newest task that publishes an event's briefing. */
export function findBriefingTask(tasks: readonly Task[], eventId: string): Task | undefined {
  return tasks.find((task) => task.eventId === eventId && isBriefingTask(task));
}

/** The newest task about an event's pack. */
export function findPackTask(tasks: readonly Task[], eventId: string): Task | undefined {
  return tasks.find((task) => task.eventId === eventId && isPackTask(task));
}

/** Hundredths, 0 to 100; undefined while nobody knows how much there is. */
export function percentOf({ progress: { done, total } }: Task): number | undefined {
  return total === 0 ? undefined : Math.min(100, Math.floor((done / total) * 100));
}
