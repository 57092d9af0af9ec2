// The next revision of an event, and what the event becomes with it: shared by publications, replays and adoptions.
import { AppError } from "../../../shared/app-error.ts";
import type { Bounds } from "../../../shared/contract/primitives.ts";
import { windowMs } from "../../../shared/revisions/observation-window.ts";
import type { PublishedLayer, RevisionRecord } from "../catalog.ts";
import type { ComposedManifest } from "./compose-manifest.ts";
import { growExtent, type EventIdentity } from "./event-rules.ts";
import { emptyEvent, type EventState } from "./event-state.ts";
import { parseInstant, toInstant } from "./instants.ts";

/** A revision without its manifest. */
export interface NextRevision {
  readonly eventId: string;
  readonly revisionId: string;
  readonly sequence: number;
  readonly observedAtMs: number;
  readonly publishedAtMs: number;
  /** Layers in drawing order. */
  readonly layers: readonly [PublishedLayer, ...PublishedLayer[]];
  readonly bounds: Bounds;
}

/** A revision to be written. */
export interface PlannedRevision extends NextRevision {
  readonly window: number;
  readonly manifest: ComposedManifest;
}

export function toPlanned(next: NextRevision, manifest: ComposedManifest): PlannedRevision {
  return { ...next, window: Math.floor(next.observedAtMs / windowMs), manifest };
}

export function toPlannedRecord(revision: PlannedRevision): RevisionRecord {
  const { eventId, revisionId, sequence, manifest } = revision;
  return Object.freeze({
    eventId,
    revisionId,
    sequence,
    observedAt: toInstant(revision.observedAtMs),
    publishedAt: toInstant(revision.publishedAtMs),
    manifest: manifest.bytes,
    manifestSha256: manifest.sha256,
  });
}

/**
 * Returns the event with its next revision. A known event keeps its kind and origin, and its status if it is
 * registered; any other becomes active.
 */
export function growEvent(
  event: EventState | undefined,
  { kind, label, origin }: EventIdentity,
  next: NextRevision,
): EventState {
  const known = event ?? {
    ...emptyEvent,
    ...{ id: next.eventId, kind, label, origin, status: "active", updatedAtMs: next.publishedAtMs },
  };
  const observedAtMs = next.layers.map(({ observedAt }) => parseInstant(observedAt));
  return {
    ...known,
    ...growExtent(known, [next.observedAtMs, ...observedAtMs], next.bounds),
    label,
    status: known.registeredWindow === null ? "active" : known.status,
    currentRevisionId: next.revisionId,
    lastSequence: next.sequence,
    lastPublishedAtMs: next.publishedAtMs,
    updatedAtMs: Math.max(next.publishedAtMs, known.updatedAtMs),
  };
}

/** Returns the publication time, never before the last one, even if the clock was set back. */
export function toPublishedAtMs(event: EventState | undefined, nowMs: number): number {
  return Math.max(nowMs, event?.lastPublishedAtMs ?? -Infinity);
}

/** Formats as `20240228T025239Z-7`: the observation to the second, and the sequence, which is unique in its event. */
export function toRevisionId(observedAtMs: number, sequence: number): string {
  const compact = new Date(observedAtMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  return `${compact}Z-${sequence}`;
}

/** @throws AppError `frame-missing` if the frame of a layer is not stored */
export function requireFrames(storedFrames: ReadonlySet<string>, layers: readonly PublishedLayer[]): void {
  for (const { productId, frameId } of layers) {
    if (storedFrames.has(frameId)) continue;
    throw new AppError("frame-missing", `The frame of ${productId} is not in the store.`, {
      context: { frameId },
    });
  }
}
