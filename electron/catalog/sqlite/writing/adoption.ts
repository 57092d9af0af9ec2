// Adopts events and revisions of a remote service or a pack unchanged: the body of the transaction. The frames are
// already on disk.
import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../../../shared/app-error.ts";
import { MrmsManifest } from "../../../../shared/contract/manifest.ts";
import { EventId, FrameId, RevisionId, Sequence } from "../../../../shared/contract/primitives.ts";
import type { StormEvent } from "../../../../shared/contract/storm-event.ts";
import { natureOf, type EventOrigin } from "../../../../shared/revisions/event-origin.ts";
import { packOrigin } from "../../catalog.ts";
import type { AdoptDraft, AdoptOutcome, PublishedLayer, RevisionRecord } from "../../catalog.ts";
import { requireLabel } from "../../plans/event-rules.ts";
import { parseInstant } from "../../plans/instants.ts";
import { sha256Of } from "../../../platform/sha256.ts";
import {
  imageUrlOf,
  inDrawingOrder,
  toComposed,
  type ComposedManifest,
} from "../../plans/compose-manifest.ts";
import { requireFrames } from "./publish-revision.ts";
import { type Prepare, prepareEvent, prepareNote } from "../queries.ts";
import { createRevisionWriter } from "./revision-rows.ts";
import type { EventRow } from "../catalog-rows.ts";
import type { StoredFiles } from "../../files/stored-files.ts";

export interface Adoption {
  adoptEvent(mirrorOf: string, event: StormEvent): void;
  adopt(draft: AdoptDraft): AdoptOutcome;
}

/** Call the functions inside a write transaction. */
export function createAdoption(prepare: Prepare, files: StoredFiles): Adoption {
  const adoptEvent = createEventAdoption(prepare);
  const findKnown = createKnownRevisions(prepare);
  const writeRevision = createRevisionWriter(prepare);
  const moveEvent = prepare(`
    UPDATE events SET last_sequence = max(last_sequence, ?2),
        last_published_at = max(coalesce(last_published_at, ?3), ?3),
        current_revision_id = (SELECT revision_id FROM revisions WHERE event_id = ?1 ORDER BY sequence DESC LIMIT 1)
      WHERE id = ?1`);
  const forgetWithdrawal = prepare("DELETE FROM withdrawn_revisions WHERE event_id = ? AND sequence = ?");

  return {
    adoptEvent,
    adopt(draft) {
      const layers = checkDraft(draft);
      const { revisionId, sequence, observedAt, publishedAt, bounds } = draft.revision;
      const row = adoptEvent(draft.mirrorOf, draft.event);
      const manifest = toStored(draft);
      if (findKnown(row, { revisionId, sequence, manifestSha256: manifest.sha256 })) return "known";
      requireFrames(files, layers);
      const eventId = row.id;
      const observedAtMs = parseInstant(observedAt);
      const publishedAtMs = parseInstant(publishedAt);
      const next = { eventId, revisionId, sequence, observedAtMs, publishedAtMs, layers, bounds };
      writeRevision(next, manifest);
      forgetWithdrawal.run(eventId, sequence);
      moveEvent.run(eventId, sequence, publishedAtMs);
      return "adopted";
    },
  };
}

/** Returns the layers in drawing order. @throws AppError `invalid-input` if the parts of the draft do not match */
function checkDraft({
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

type OfferedRevision = Pick<RevisionRecord, "revisionId" | "sequence" | "manifestSha256">;

/**
 * Returns a function that tells if a revision was adopted before. @throws AppError `conflict` if it has changed since
 */
function createKnownRevisions(prepare: Prepare): (event: EventRow, offered: OfferedRevision) => boolean {
  const byId = prepare<{ sequence: number; manifest_sha256: string }>(
    "SELECT sequence, manifest_sha256 FROM revisions WHERE event_id = ? AND revision_id = ?",
  );
  const withdrawal = prepare<{ revision_id: string }>(
    "SELECT revision_id FROM withdrawn_revisions WHERE event_id = ? AND sequence = ?",
  );
  return (event, { revisionId, sequence, manifestSha256 }) => {
    const known = byId.first(event.id, revisionId);
    if (known) {
      if (known.sequence === sequence && known.manifest_sha256 === manifestSha256) return true;
      throw new AppError("conflict", `The revision ${revisionId} has changed since it was adopted.`);
    }
    if (sequence > event.last_sequence) return false;
    // A withdrawn revision may be adopted again; a pruned one is not wanted again.
    if (withdrawal.first(event.id, sequence)?.revision_id === revisionId) return false;
    if (sequence <= event.pruned_sequence) return true;
    throw new AppError(
      "conflict",
      `The sequence goes back: ${sequence} is offered after ${event.last_sequence}.`,
    );
  };
}

/** Returns a function that adopts the remote's event and returns our row. */
function createEventAdoption(prepare: Prepare): (mirrorOf: string, event: StormEvent) => EventRow {
  const findEvent = prepareEvent(prepare);
  const upsert = prepare<EventRow>(`
    INSERT INTO events (id, mirror_of, kind, label, origin, status, started_at, ended_at, west, south, east, north,
        updated_at, last_sequence)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
      ON CONFLICT (id) DO UPDATE SET mirror_of = excluded.mirror_of, kind = excluded.kind,
        label = excluded.label, origin = excluded.origin, status = excluded.status,
        started_at = excluded.started_at, ended_at = excluded.ended_at, west = excluded.west,
        south = excluded.south, east = excluded.east, north = excluded.north, updated_at = excluded.updated_at
      RETURNING *`);
  const noteContent = prepareNote(prepare, "content_version");
  return (mirrorOf, event) => {
    const known = findEvent(event.id);
    if (known) requireMirror(known, mirrorOf);
    requireLabel(event.label);
    const row = upsert.first(
      event.id,
      mirrorOf,
      event.kind,
      event.label,
      originOf(event),
      event.status,
      toMsOrNull(event.startedAt),
      toMsOrNull(event.endedAt),
      ...(event.bounds ?? [null, null, null, null]),
      parseInstant(event.updatedAt),
    )!;
    if (!known || !isSameRow(known, row)) noteContent();
    return row;
  };
}

/**
 * Checks that a mirrored event keeps its source. A service may move to another address: the mirror compares its
 * history. A pack never changes.
 * @throws AppError `conflict`
 */
function requireMirror({ id, mirror_of }: EventRow, mirrorOf: string): void {
  if (mirror_of === null) {
    throw new AppError(
      "conflict",
      `The event ${id} was created here, so it cannot be adopted from elsewhere.`,
    );
  }
  if (mirror_of === mirrorOf) return;
  if (mirror_of.startsWith(packOrigin)) {
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

function isSameRow(a: EventRow, b: EventRow): boolean {
  const keys = Object.keys(b) as (keyof EventRow)[];
  return keys.every((key) => a[key] === b[key]);
}
