// An event as an engine stores it, with what only the catalog itself needs to know, and as callers see it.
import type { Bounds } from "../../../shared/contract/primitives.ts";
import type { EventRecord } from "../catalog.ts";
import { toInstant, toInstantOrNull } from "./instants.ts";

/** Instants are whole milliseconds since the Unix epoch. Null where a column is null. */
export interface EventState extends Pick<
  EventRecord,
  "id" | "kind" | "label" | "origin" | "status" | "currentRevisionId"
> {
  readonly startedAtMs: number | null;
  /** Newest observation: the end of a growing window, and the sort key of events. */
  readonly endedAtMs: number | null;
  readonly bounds: Bounds | null;
  /** Highest sequence ever used, also by revisions that are gone; 0 until something is published. */
  readonly lastSequence: number;
  readonly lastPublishedAtMs: number | null;
  readonly updatedAtMs: number;
  readonly registeredWindow: { readonly startedAtMs: number; readonly endedAtMs: number } | null;
  readonly mirrorOf: string | null;
  readonly replayOf: EventRecord["replayOf"] | null;
  /** Highest sequence that retention has removed. */
  readonly prunedSequence: number;
}

/** Values of an event that nothing was published into. */
export const emptyEvent = {
  currentRevisionId: null,
  startedAtMs: null,
  endedAtMs: null,
  bounds: null,
  lastSequence: 0,
  lastPublishedAtMs: null,
  registeredWindow: null,
  mirrorOf: null,
  replayOf: null,
  prunedSequence: 0,
} as const satisfies Partial<EventState>;

/** Returns a frozen record. @throws AppError `stored-data-invalid` for an instant out of range */
export function toEventRecord(state: EventState): EventRecord {
  const { registeredWindow: registered, replayOf } = state;
  return Object.freeze({
    id: state.id,
    kind: state.kind,
    label: state.label,
    status: state.status,
    retentionClass: state.kind === "operational-feed" ? "operational" : "benchmark",
    startedAt: toInstantOrNull(state.startedAtMs),
    endedAt: toInstantOrNull(state.endedAtMs),
    bounds: state.bounds,
    currentRevisionId: state.currentRevisionId,
    updatedAt: toInstant(state.updatedAtMs),
    origin: state.origin,
    latestSequence: state.lastSequence,
    isRegistered: registered !== null,
    registeredWindow: registered
      ? Object.freeze({
          startedAt: toInstant(registered.startedAtMs),
          endedAt: toInstant(registered.endedAtMs),
        })
      : undefined,
    mirrorOf: state.mirrorOf ?? undefined,
    replayOf: replayOf ? Object.freeze({ ...replayOf }) : undefined,
  });
}
