// Background work that an action starts: filling or replaying an event, exchanging packs, publishing a briefing,
// fetching warnings and reports.
import * as z from "zod";
import { EventId } from "./primitives.ts";

export const TaskKind = z.enum([
  "fetch",
  "replay",
  "pack-share",
  "pack-get",
  "pack-push",
  "pack-export",
  "briefing-publish",
  "overlay-fetch",
]);
export type TaskKind = z.infer<typeof TaskKind>;

export const TaskState = z.enum(["running", "paused", "done", "failed", "stopped"]);
export type TaskState = z.infer<typeof TaskState>;

export const Task = z.object({
  id: z.string().min(1).max(64),
  kind: TaskKind,
  /** Event of the task; for a replay, the new one. Null until a received pack names it. */
  eventId: EventId.nullable(),
  state: TaskState,
  /** Counts of files, revisions or stills. `total` is 0 while unknown. */
  progress: z.object({ done: z.int().min(0), total: z.int().min(0) }),
  /** A sentence for a person: the current step, or the result. */
  message: z.string(),
});
export type Task = z.infer<typeof Task>;
