// Storm events: feed or benchmark identities, not detected physical storms.
import * as z from "zod";
import { eventKinds } from "./identifiers.ts";
import { Bounds, Instant, RetentionClass } from "./primitives.ts";

export const StormEventKind = z.enum(eventKinds).meta({ id: "StormEventKind" });
export type StormEventKind = z.infer<typeof StormEventKind>;

export const StormEventStatus = z.enum(["active", "complete", "archived"]).meta({ id: "StormEventStatus" });
export type StormEventStatus = z.infer<typeof StormEventStatus>;

export const StormEvent = z
  .object({
    id: z.string(),
    kind: StormEventKind,
    label: z.string(),
    status: StormEventStatus,
    retentionClass: RetentionClass,
    startedAt: Instant.nullable().exactOptional(),
    endedAt: Instant.nullable().exactOptional(),
    bounds: Bounds.nullable().exactOptional(),
    currentRevisionId: z.string().nullable().exactOptional(),
    updatedAt: Instant,
  })
  .meta({ id: "StormEvent" });
export type StormEvent = z.infer<typeof StormEvent>;

/** Most events in a list. */
export const stormEventLimit = 100;

export const StormEventList = z
  .object({
    schemaVersion: z.literal(1),
    generatedAt: Instant,
    events: z.array(StormEvent).max(stormEventLimit),
  })
  .meta({ id: "StormEventList" });
export type StormEventList = z.infer<typeof StormEventList>;
