// The viewer's tasks: work that an action starts and that continues after the action's answer. The board knows which
// tasks run, their progress and how they ended.
import { AppError, isAppError, messageOf } from "../../../shared/app-error.ts";
import type { Task, TaskKind } from "../../../shared/contract/task.ts";
import type { Log } from "../../platform/effects.ts";

/** Reports of running work to the board. After the work has ended they are ignored. */
export interface TaskReport {
  /** `total` is 0 while unknown. */
  readonly progress: (done: number, total: number) => void;
  readonly say: (message: string) => void;
  /**
   * Names the event of a task that began without one. Throws `conflict` if another task works on it, or this one on
   * another.
   */
  readonly claim: (eventId: string) => void;
}

/** Running work. Without `pause` it cannot be paused. */
export interface TaskWork {
  /** Resolves with a sentence about the result. After an abort it may resolve or reject. */
  readonly ended: Promise<string>;
  readonly pause?: () => void;
  readonly resume?: () => void;
}

/** Begins work; if it throws, there is no task. */
export type BeginTask<Request> = (
  request: Request,
  report: TaskReport,
  signal: AbortSignal,
) => Promise<TaskWork> | TaskWork;

export interface TaskDraft {
  readonly kind: TaskKind;
  /** Event of the task; null until the work claims one. */
  readonly eventId: string | null;
  readonly message: string;
  /** Throws if the work cannot begin; then there is no task. */
  readonly begin: (report: TaskReport, signal: AbortSignal) => Promise<TaskWork> | TaskWork;
}

interface Entry {
  task: Task;
  readonly draft: TaskDraft;
  /** Undefined until `begin` has returned. */
  work: TaskWork | undefined;
  readonly stopping: AbortController;
  /** Resolves when the work has ended, also if it failed. */
  readonly settled: PromiseWithResolvers<undefined>;
}

/** Parts of an event that tasks write to; one task at a time writes to each. */
export type TaskPlace = "event" | "pack" | "briefing" | "overlays";

const places: Readonly<Record<TaskKind, readonly TaskPlace[]>> = {
  fetch: ["event"],
  replay: ["event"],
  "pack-get": ["event", "pack"],
  "pack-share": ["pack"],
  "pack-push": ["pack"],
  "pack-export": ["pack"],
  "briefing-publish": ["briefing"],
  "overlay-fetch": ["overlays"],
};

/** Most ended tasks that the board remembers. */
const mostEnded = 20;

const stopped: Partial<Task> = { state: "stopped", message: "Stopped." };

function isUnderWay({ state }: Task): boolean {
  return state === "running" || state === "paused";
}

function change(entry: Entry, difference: Partial<Task>): void {
  entry.task = { ...entry.task, ...difference };
}

export class TaskBoard {
  readonly #entries = new Map<string, Entry>();
  readonly #log: Log;
  #count = 0;
  #isClosed = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Throws `conflict` while another task writes to the same part of the event, and once the board is closed. */
  async start(draft: TaskDraft): Promise<Task> {
    const { kind, eventId, message, begin } = draft;
    if (this.#isClosed) throw new AppError("conflict", "Echotop is closing.");
    if (eventId !== null) this.#requireFree(eventId, kind);
    this.#count += 1;
    const id = `task-${this.#count}`;
    const stopping = new AbortController();
    const task: Task = { id, kind, eventId, state: "running", progress: { done: 0, total: 0 }, message };
    const settled = Promise.withResolvers<undefined>();
    const entry: Entry = { task, draft, work: undefined, stopping, settled };
    this.#entries.set(id, entry);
    try {
      entry.work = await begin(this.#toReport(entry), stopping.signal);
    } catch (error) {
      this.#entries.delete(id);
      settled.resolve(undefined);
      throw error;
    }
    void this.#follow(entry, entry.work.ended);
    this.#forgetOldest();
    return entry.task;
  }

  /** Newest first. */
  list(): Task[] {
    return [...this.#entries.values()].map(({ task }) => task).reverse();
  }

  /** Returns true while a task writes to the event, its pack or its briefing. */
  isBusy(eventId: string, place: TaskPlace = "event"): boolean {
    return this.list().some(
      (task) => task.eventId === eventId && isUnderWay(task) && places[task.kind].includes(place),
    );
  }

  /** Does nothing if the task is paused. Throws `not-found`; `conflict` if the task has ended or cannot be paused. */
  pause(id: string): Task {
    const entry = this.#getUnderWay(id);
    if (entry.work?.pause === undefined)
      throw new AppError("conflict", "This task cannot be paused; it can be stopped.");
    if (entry.task.state !== "paused") {
      entry.work.pause();
      change(entry, { state: "paused" });
    }
    return entry.task;
  }

  /** Does nothing if the task runs. Throws `not-found`; `conflict` if the task has ended. */
  resume(id: string): Task {
    const entry = this.#getUnderWay(id);
    if (entry.task.state === "paused") {
      entry.work?.resume?.();
      change(entry, { state: "running" });
    }
    return entry.task;
  }

  /** Resolves when the work has ended. Does nothing if it had ended before. Throws `not-found`. */
  async stop(id: string): Promise<Task> {
    const entry = this.#get(id);
    entry.stopping.abort();
    await entry.settled.promise;
    return entry.task;
  }

  /**
   * Starts the work of a failed or stopped task again; the new task takes its place. Throws `not-found`; `conflict` if
   * the task is under way or done; and as `start` does.
   */
  async retry(id: string): Promise<Task> {
    const { task, draft } = this.#get(id);
    if (task.state !== "failed" && task.state !== "stopped")
      throw new AppError("conflict", "Only a task that failed or was stopped can be started again.");
    const again = await this.start(draft);
    this.#entries.delete(id);
    return again;
  }

  /** Forgets the ended tasks of an event that no longer exists. */
  forget(eventId: string): void {
    for (const { task } of this.#entries.values()) {
      if (task.eventId === eventId && !isUnderWay(task)) this.#entries.delete(task.id);
    }
  }

  /** Stops all tasks and waits for them. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#entries.keys()].map((id) => this.stop(id)));
  }

  #requireFree(eventId: string, kind: TaskKind): void {
    if (places[kind].some((place) => this.isBusy(eventId, place)))
      throw new AppError("conflict", `Another task is working on the event ${eventId}; stop it first.`);
  }

  #toReport(entry: Entry): TaskReport {
    return {
      progress: (done, total) => {
        if (isUnderWay(entry.task)) change(entry, { progress: { done, total } });
      },
      say: (message) => {
        if (isUnderWay(entry.task)) change(entry, { message });
      },
      claim: (eventId) => {
        if (entry.task.eventId === eventId) return;
        if (entry.task.eventId !== null)
          throw new AppError(
            "conflict",
            `This task works on the event ${entry.task.eventId}, not ${eventId}.`,
          );
        this.#requireFree(eventId, entry.task.kind);
        change(entry, { eventId });
      },
    };
  }

  async #follow(entry: Entry, ended: Promise<string>): Promise<void> {
    const { stopping } = entry;
    try {
      const message = await ended;
      change(entry, stopping.signal.aborted ? stopped : { state: "done", message });
    } catch (error) {
      change(entry, stopping.signal.aborted ? stopped : this.#toFailure(entry.task, error));
    } finally {
      entry.settled.resolve(undefined);
    }
  }

  #toFailure({ kind, eventId }: Task, error: unknown): Partial<Task> {
    this.#log("warn", `A ${kind} task failed: ${messageOf(error)}`, { event: eventId });
    const message = isAppError(error) ? error.detail : "Something unexpected went wrong; see the log.";
    return { state: "failed", message };
  }

  #get(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new AppError("not-found", "This task no longer exists.");
    return entry;
  }

  #getUnderWay(id: string): Entry {
    const entry = this.#get(id);
    if (!isUnderWay(entry.task)) throw new AppError("conflict", "This task has ended.");
    return entry;
  }

  #forgetOldest(): void {
    const ended = [...this.#entries.values()].filter(({ task }) => !isUnderWay(task));
    for (const { task } of ended.slice(0, Math.max(0, ended.length - mostEnded)))
      this.#entries.delete(task.id);
  }
}
