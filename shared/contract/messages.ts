// The WebSocket messages of an event's stream. The socket carries notices; data is read over HTTP.
import * as z from "zod";
import { Bounds, EventId, Instant, Sequence } from "./primitives.ts";

export const StormRevisionReady = z
  .object({
    type: z.literal("storm.revision.ready"),
    schemaVersion: z.literal(1),
    eventId: EventId,
    revisionId: z.string(),
    sequence: Sequence,
    observedAt: Instant,
    publishedAt: Instant,
    bounds: Bounds,
    manifestUrl: z.string().regex(/^\/(v1\/storm-events\/|mrms\/events\/)/),
  })
  .meta({ id: "StormRevisionReady" });
export type StormRevisionReady = z.infer<typeof StormRevisionReady>;

export const StreamReady = z
  .object({
    type: z.literal("stream.ready"),
    schemaVersion: z.literal(1),
    eventId: EventId,
    lastRevision: StormRevisionReady.exactOptional(),
  })
  .meta({ id: "StreamReady" });
export type StreamReady = z.infer<typeof StreamReady>;

export const StreamMessage = z.discriminatedUnion("type", [StreamReady, StormRevisionReady]);
export type StreamMessage = z.infer<typeof StreamMessage>;

/** Text messages of a liveness check: the client's, and the answer. */
export const streamPing = "ping";
export const streamPong = "pong";
