// Decides what the adoption of an event or a revision of a remote service or a pack changes. Everything is adopted
// unchanged.
import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../../shared/app-error.ts";
import { MrmsManifest } from "../../../shared/contract/manifest.ts";
import { EventId, FrameId, RevisionId, Sequence } from "../../../shared/contract/primitives.ts";
import type { StormEvent } from "../../../shared/contract/storm-event.ts";
import { natureOf, type EventOrigin } from "../../../shared/revisions/event-origin.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { packOrigin } from "../catalog.ts";
import type { AdoptDraft, PublishedLayer, RevisionRecord } from "../catalog.ts";
import { imageUrlOf, inDrawingOrder, toComposed, type ComposedManifest } from "./compose-manifest.ts";
import { requireLabel } from "./event-rules.ts";
import { emptyEvent, type EventState } from "./event-state.ts";
import { parseInstant } from "./instants.ts";
import { requireFrames, toPlanned, type PlannedRevision } from "./next-revision.ts";

/** A valid draft with the bytes to store. */
export interface Adoption extends Pick<AdoptDraft, "mirrorOf" | "event" | "revision"> {
  /** Layers in drawing order. */
  readonly layers: readonly [PublishedLayer, ...PublishedLayer[]];
  readonly manifest: ComposedManifest;
}

export interface AdoptionState {
  readonly event: EventState | undefined;
  /** Stored revision of the offered id. */
  readonly known: Pick<RevisionRecord, "sequence" | "manifestSha256"> | undefined;
  /** Revision of the event with the highest sequence. */
  readonly latest: Pick<RevisionRecord, "revisionId" | "sequence"> | undefined;
  /** Id of the revision that a repair withdrew at the offered sequence. */
  readonly withdrawnRevisionId: string | undefined;
  /** Stored ones among the frames of the draft. */
  readonly storedFrames: ReadonlySet<string>;
}

export interface AdoptionPlan {
  /** New values of the event; undefined if nothing changes. */
  readonly event: EventState | undefined;
  /** Undefined if the revision is known. It is then also no longer withdrawn. */
  readonly revision: PlannedRevision | undefined;
}

/** @throws AppError `invalid-input` if the parts of the draft do not match */
export function checkAdoption(draft: AdoptDraft): Adoption {
  const { mirrorOf, event, revision } = draft;
  return { mirrorOf, event, revision, layers: checkLayers(draft), manifest: toStored(draft) };
}

/**
 * @throws AppError `conflict` if the sequence goes back or the content of an id has changed, and as `planEventAdoption`
 * does; `frame-missing`
 */
export function planAdoption(adoption: Adoption, state: AdoptionState): AdoptionPlan {
  const { revisionId, sequence, observedAt, publishedAt, bounds } = adoption.revision;
  const adopted = planEventAdoption(state.event, adoption.mirrorOf, adoption.event);
  const event = adopted ?? state.event!;
  if (isKnown(adoption, event, state)) return { event: adopted, revision: undefined };
  requireFrames(state.storedFrames, adoption.layers);
  const publishedAtMs = parseInstant(publishedAt);
  const { latest } = state;
  const next = {
    ...{ eventId: event.id, revisionId, sequence, publishedAtMs, bounds, layers: adoption.layers },
    observedAtMs: parseInstant(observedAt),
  };
  return {
    event: {
      ...event,
      lastSequence: Math.max(event.lastSequence, sequence),
      lastPublishedAtMs: Math.max(event.lastPublishedAtMs ?? -Infinity, publishedAtMs),
      currentRevisionId: latest && latest.sequence > sequence ? latest.revisionId : revisionId,
    },
    revision: toPlanned(next, adoption.manifest),
  };
}

/**
 * Returns the new values of the event; undefined if nothing changes.
 * @throws AppError `conflict` for a local event, and for one that belongs to a pack, or to another pack;
 * `invalid-input` for an unfit label
 */
export function planEventAdoption(
  known: EventState | undefined,
  mirrorOf: string,
  event: StormEvent,
): EventState | undefined {
  if (known) requireMirror(known, mirrorOf);
  requireLabel(event.label);
  const adopted: EventState = {
    ...(known ?? emptyEvent),
    ...{ id: event.id, mirrorOf, kind: event.kind, label: event.label, status: event.status },
    origin: originOf(event),
    startedAtMs: toMsOrNull(event.startedAt),
    endedAtMs: toMsOrNull(event.endedAt),
    bounds: event.bounds ?? null,
    updatedAtMs: parseInstant(event.updatedAt),
  };
  return known && isDeepStrictEqual(known, adopted) ? undefined : adopted;
}

/** Returns true if the revision was adopted before. @throws AppError `conflict` if it has changed since */
function isKnown(
  { revision: { revisionId, sequence }, manifest }: Adoption,
  event: EventState,
  { known, withdrawnRevisionId }: AdoptionState,
): boolean {
  if (known) {
    if (known.sequence === sequence && known.manifestSha256 === manifest.sha256) return true;
    throw new AppError("conflict", `The revision ${revisionId} has changed since it was adopted.`);
  }
  if (sequence > event.lastSequence) return false;
  // A withdrawn revision may be adopted again; a pruned one is not wanted again.
  if (withdrawnRevisionId === revisionId) return false;
  if (sequence <= event.prunedSequence) return true;
  throw new AppError(
    "conflict",
    `The sequence goes back: ${sequence} is offered after ${event.lastSequence}.`,
  );
}

/** Returns the layers in drawing order. @throws AppError `invalid-input` if the parts of the draft do not match */
function checkLayers({
  event,
  revision,
  manifest,
  layers,
}: AdoptDraft): readonly [PublishedLayer, ...PublishedLayer[]] {
  const refuse = (why: string): AppError =>
    new AppError("invalid-input", `This revision cannot be adopted: ${why}.`);
  if (!EventId.safeParse(event.id).success) throw refuse(`"${event.id}" is not an event id`);
  if (!RevisionId.safeParse(revision.revisionId).success) {
    throw refuse(`"${revision.revisionId}" is not a revision id`);
  }
  if (!Sequence.safeParse(revision.sequence).success) throw refuse(`${revision.sequence} is not a sequence`);
  const [first, ...others] = inDrawingOrder(layers);
  if (!first) throw refuse("it has no layer");
  const isWhole =
    manifest.layers.length === layers.length &&
    new Set(layers.map(({ productId }) => productId)).size === layers.length;
  if (!isWhole) throw refuse("its manifest and its layers differ in number, or it has a product twice");
  for (const layer of layers) {
    if (!FrameId.safeParse(layer.frameId).success) throw refuse(`"${layer.frameId}" is not a frame id`);
    const said = manifest.layers.find(({ id }) => id === layer.productId);
    const agrees =
      said?.imageUrl === imageUrlOf(event.id, layer) &&
      parseInstant(said.observedAt) === parseInstant(layer.observedAt);
    if (!agrees) throw refuse(`its manifest and its layer ${layer.productId} differ`);
  }
  return [first, ...others];
}

/** Returns the bytes to store. @throws AppError `invalid-input` if given bytes are not the manifest's */
function toStored({ manifest, manifestBytes }: AdoptDraft): ComposedManifest {
  if (!manifestBytes) return toComposed(manifest);
  let said: unknown;
  try {
    said = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(manifestBytes));
  } catch (cause) {
    throw new AppError("invalid-input", "This revision cannot be adopted: its manifest is not JSON.", {
      cause,
    });
  }
  if (!isDeepStrictEqual(said, MrmsManifest.parse(manifest))) {
    throw new AppError(
      "invalid-input",
      "This revision cannot be adopted: the bytes of its manifest differ from its content.",
    );
  }
  return { bytes: manifestBytes, sha256: sha256Of(manifestBytes) };
}

/**
 * Checks that a mirrored event keeps its source. A service may move to another address: the mirror compares its
 * history. A pack never changes.
 * @throws AppError `conflict`
 */
function requireMirror({ id, mirrorOf: known }: EventState, mirrorOf: string): void {
  if (known === null) {
    throw new AppError(
      "conflict",
      `The event ${id} was created here, so it cannot be adopted from elsewhere.`,
    );
  }
  if (known === mirrorOf) return;
  if (known.startsWith(packOrigin)) {
    throw new AppError("conflict", `The event ${id} came in a pack, and only that pack can add to it.`);
  }
  if (mirrorOf.startsWith(packOrigin)) {
    throw new AppError(
      "conflict",
      `The event ${id} is a copy from another service, so a pack cannot add to it.`,
    );
  }
}

/** Reads the origin from the label, because the contract has no field for it. */
function originOf(event: StormEvent): EventOrigin {
  const nature = natureOf(event);
  return nature === "synthetic" || nature === "synthetic-replay" ? "synthetic" : "observed";
}

function toMsOrNull(instant: string | null | undefined): number | null {
  return instant === null || instant === undefined ? null : parseInstant(instant);
}
