// Decides one step of a replay: a revision of one event as the next revision of another, with the same layers.
import { AppError } from "../../../shared/app-error.ts";
import type { MrmsManifest } from "../../../shared/contract/manifest.ts";
import { EventId } from "../../../shared/contract/primitives.ts";
import { markReplay, replayDisclosureOf } from "../../../shared/revisions/event-origin.ts";
import { sha256Of } from "../../platform/sha256.ts";
import type { PublishedLayer, RepublishDraft, RevisionRecord } from "../catalog.ts";
import {
  imageUrlOf,
  inDrawingOrder,
  parseManifest,
  toComposed,
  type ComposedManifest,
} from "./compose-manifest.ts";
import { requireOpen } from "./event-rules.ts";
import type { EventState } from "./event-state.ts";
import { toInstant } from "./instants.ts";
import {
  growEvent,
  requireFrames,
  toPlanned,
  toPublishedAtMs,
  toRevisionId,
  type NextRevision,
  type PlannedRevision,
} from "./next-revision.ts";

/** A stored revision with its layers in any order. */
export interface StoredRevision extends Pick<RevisionRecord, "sequence" | "manifest" | "manifestSha256"> {
  readonly observedAtMs: number;
  readonly bounds: NextRevision["bounds"];
  readonly layers: readonly PublishedLayer[];
}

export interface RepublicationState {
  /** Event of the original revision. */
  readonly source: EventState | undefined;
  readonly original: StoredRevision | undefined;
  /** Event of the replay. */
  readonly target: EventState | undefined;
  /** Stored ones among the frames of the original. */
  readonly storedFrames: ReadonlySet<string>;
}

export interface RepublicationPlan {
  /** New values of the replay's event. */
  readonly event: EventState;
  readonly revision: PlannedRevision;
}

/**
 * @throws AppError `not-found` if the original is gone; `conflict` if the event is not a replay of that one, is
 * archived, or has grown since; `invalid-input`; `stored-data-invalid` for a damaged manifest; `frame-missing`
 */
export function planRepublication(
  draft: RepublishDraft,
  { source, original, target, storedFrames }: RepublicationState,
  nowMs: number,
): RepublicationPlan {
  const { eventId, of } = draft;
  if (!source || original?.sequence !== of.sequence) {
    throw new AppError("not-found", `The event ${of.eventId} has no revision ${of.revisionId}.`);
  }
  requireContinuation(target, draft);
  const layers = inDrawingOrder(original.layers);
  requireFrames(storedFrames, layers);
  const next = toNext(target, eventId, { ...original, layers }, nowMs);
  const label = target?.label ?? markReplay(source.label);
  const event = growEvent(target, { kind: "historical-event", label, origin: source.origin }, next);
  return {
    event: { ...event, replayOf: { eventId: of.eventId, sequence: of.sequence } },
    revision: toPlanned(next, composeAgain(original, of, next)),
  };
}

function requireContinuation(target: EventState | undefined, { eventId, after, of }: RepublishDraft): void {
  if (!EventId.safeParse(eventId).success || eventId === of.eventId) {
    throw new AppError("invalid-input", `"${eventId}" cannot be the event of a replay.`);
  }
  if (!target) {
    if (after === 0) return;
    throw new AppError("conflict", `The event ${eventId} is gone, so its replay cannot continue.`);
  }
  requireOpen(target);
  if (target.replayOf?.eventId !== of.eventId) {
    throw new AppError(
      "conflict",
      `The event ${eventId} already exists and is not a replay of ${of.eventId}.`,
    );
  }
  if (target.lastSequence !== after || target.replayOf.sequence >= of.sequence) {
    throw new AppError("conflict", `The event ${eventId} is already being replayed elsewhere.`);
  }
}

function toNext(
  target: EventState | undefined,
  eventId: string,
  { layers, observedAtMs, bounds }: StoredRevision,
  nowMs: number,
): NextRevision {
  const [first, ...others] = layers;
  if (!first) throw new AppError("stored-data-invalid", "A stored revision has no layer.");
  const sequence = (target?.lastSequence ?? 0) + 1;
  return {
    eventId,
    revisionId: toRevisionId(observedAtMs, sequence),
    sequence,
    observedAtMs,
    publishedAtMs: toPublishedAtMs(target, nowMs),
    layers: [first, ...others],
    bounds,
  };
}

/** Composes the manifest from the original, with the fields that must differ. @throws AppError `stored-data-invalid` */
function composeAgain(
  original: StoredRevision,
  of: RepublishDraft["of"],
  next: NextRevision,
): ComposedManifest {
  const { eventId, revisionId, sequence } = next;
  const manifest = parseStored(original, of);
  return toComposed({
    ...manifest,
    disclosure: replayDisclosureOf(manifest.disclosure),
    eventId,
    revisionId,
    sequence,
    generatedAt: toInstant(next.publishedAtMs),
    layers: manifest.layers.map((said) => {
      const layer = next.layers.find(({ productId }) => productId === said.id);
      if (!layer) throw damagedManifest(of);
      return { ...said, imageUrl: imageUrlOf(eventId, layer) };
    }),
  });
}

function parseStored({ manifest, manifestSha256 }: StoredRevision, of: RepublishDraft["of"]): MrmsManifest {
  if (sha256Of(manifest) !== manifestSha256) throw damagedManifest(of);
  try {
    return parseManifest(manifest);
  } catch (error) {
    throw damagedManifest(of, error);
  }
}

function damagedManifest({ eventId, revisionId }: RepublishDraft["of"], cause?: unknown): AppError {
  return new AppError("stored-data-invalid", `The manifest of the revision ${revisionId} is damaged.`, {
    context: { eventId },
    cause,
  });
}
