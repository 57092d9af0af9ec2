// Rules for events: who may publish into one, and how a publication changes its identity, window and bounds.
import { AppError } from "../../../shared/app-error.ts";
import { EventLabel, type Bounds } from "../../../shared/contract/primitives.ts";
import { unionBounds } from "../../../shared/geo/bounds.ts";
import { markLabel } from "../../../shared/revisions/event-origin.ts";
import { packOrigin, type EventDraft, type EventRecord } from "../catalog.ts";

/** Most time that an observation of a live feed may be ahead of the clock. */
export const futureToleranceMs = 10 * 60_000;

/** @throws AppError `invalid-input` */
export function requireLabel(label: string): void {
  const { error } = EventLabel.safeParse(label);
  if (error) throw new AppError("invalid-input", `The label ${error.issues[0]!.message}.`);
}

/** Returns the label with the marks of its origin. @throws AppError `invalid-input` */
function toLabel(label: string, origin: EventRecord["origin"]): string {
  const marked = markLabel(label, origin);
  requireLabel(marked);
  return marked;
}

export type EventIdentity = Pick<EventRecord, "kind" | "label" | "origin">;

/** An event as an engine stores it, or as callers see it. */
interface KnownEvent extends Pick<EventRecord, "id" | "status">, EventIdentity {
  readonly mirrorOf: string | null | undefined;
  readonly replayOf: EventRecord["replayOf"] | null;
}

/** @throws AppError `conflict` for an event of a remote service or of a pack */
export function requireOwn({ id, mirrorOf }: Pick<KnownEvent, "id" | "mirrorOf">): void {
  if (mirrorOf === undefined || mirrorOf === null) return;
  const source = mirrorOf.startsWith(packOrigin) ? "came in a pack" : "is a copy from another service";
  throw new AppError("conflict", `The event ${id} ${source}, so only that source can change it.`, {
    context: { mirrorOf },
  });
}

/** @throws AppError `conflict` for an archived event */
export function requireOpen(event: Pick<EventRecord, "id" | "status">): void {
  if (event.status === "archived") {
    throw new AppError("conflict", `The event ${event.id} is archived and cannot change.`);
  }
}

/**
 * Returns the event's identity after a publication. A new event takes the draft's values or the defaults; a known event
 * may change only its label.
 * @throws AppError `invalid-input` for an unfit label; `conflict` for an archived event, a mirror, a replay, another
 * kind, or pictures of another origin
 */
export function resolveIdentity(known: KnownEvent | undefined, draft: EventDraft): EventIdentity {
  if (!known) {
    const origin = draft.origin ?? "observed";
    return {
      kind: draft.kind ?? "historical-event",
      label: toLabel(draft.label ?? draft.id, origin),
      origin,
    };
  }
  requireOwn(known);
  requireOpen(known);
  if (known.replayOf) {
    throw new AppError(
      "conflict",
      `The event ${known.id} is a replay of ${known.replayOf.eventId}; nothing else can be added to it.`,
    );
  }
  if (draft.kind !== undefined && draft.kind !== known.kind) {
    throw new AppError(
      "conflict",
      `The event ${known.id} is of kind ${known.kind} and cannot become ${draft.kind}.`,
    );
  }
  // A mix of synthetic and observed pictures would be labeled wrongly.
  if (draft.origin !== undefined && draft.origin !== known.origin) {
    throw new AppError(
      "conflict",
      `The event ${known.id} holds ${known.origin} pictures; ${draft.origin} ones cannot be added to it.`,
    );
  }
  return {
    kind: known.kind,
    label: draft.label === undefined ? known.label : toLabel(draft.label, known.origin),
    origin: known.origin,
  };
}

/** Most time that any other observation may be ahead of the clock: clocks are off by hours, files by years. */
const dayMs = 86_400_000;

/**
 * Checks that an observation is not in the future. Synthetic pictures may be from any time.
 * @throws AppError `source-invalid`
 */
export function requireNotAhead(
  { kind, origin }: Pick<EventIdentity, "kind" | "origin">,
  observedAtMs: number,
  nowMs: number,
): void {
  const aheadMs = observedAtMs - nowMs;
  if (kind === "operational-feed" && aheadMs > futureToleranceMs) {
    const minutes = Math.ceil(aheadMs / 60_000);
    throw new AppError(
      "source-invalid",
      `The observation is ${minutes} minutes ahead of the clock; an operational feed takes at most ${futureToleranceMs / 60_000}.`,
    );
  }
  if (origin === "observed" && aheadMs > dayMs) {
    const observedAt = new Date(observedAtMs).toISOString();
    throw new AppError(
      "source-invalid",
      `The observation time ${observedAt} is more than a day ahead of the clock, so the file or the clock is wrong.`,
    );
  }
}

export interface EventExtent {
  readonly startedAtMs: number;
  /** Newest observation: the end of a growing window, and the sort key of events. */
  readonly endedAtMs: number;
  readonly bounds: Bounds;
}

export function growExtent(
  known: { startedAtMs: number | null; endedAtMs: number | null; bounds: Bounds | null },
  observedAtMs: readonly [number, ...number[]],
  bounds: Bounds,
): EventExtent {
  return {
    startedAtMs: Math.min(known.startedAtMs ?? Infinity, ...observedAtMs),
    endedAtMs: Math.max(known.endedAtMs ?? -Infinity, ...observedAtMs),
    bounds: known.bounds ? unionBounds(known.bounds, bounds) : bounds,
  };
}
