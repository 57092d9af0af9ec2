// Work that an action starts and that goes on by itself: filling a benchmark event, replaying one, handing one on as a
// pack, publishing one as a briefing.
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
]);
export type TaskKind = z.infer<typeof TaskKind>;

export const TaskState = z.enum(["running", "paused", "done", "failed", "stopped"]);
export type TaskState = z.infer<typeof TaskState>;

export const Task = z.object({
  id: z.string().min(1).max(64),
  kind: TaskKind,
  /** The event that it is about: the one that is filled, the replay's own, the pack's. Null until a pack says which it is. */
  eventId: EventId.nullable(),
  state: TaskState,
  /** Files, revisions or stills. `total` is 0 while it is not known yet. */
  progress: z.object({ done: z.int().min(0), total: z.int().min(0) }),
  /** A sentence for a person: what is being done, or how it ended. */
  message: z.string(),
});
export type Task = z.infer<typeof Task>;
