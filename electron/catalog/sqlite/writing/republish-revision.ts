// One step of a replay: publishes a revision of one event as the next revision of another, with the same layers and
// frames, in one transaction.
import { AppError } from "../../../../shared/app-error.ts";
import type { MrmsManifest } from "../../../../shared/contract/manifest.ts";
import { EventId } from "../../../../shared/contract/primitives.ts";
import { markReplay, replayDisclosureOf } from "../../../../shared/revisions/event-origin.ts";
import type { PublishedLayer, RepublishDraft, RevisionRecord } from "../../catalog.ts";
import { requireOpen } from "../../plans/event-rules.ts";
import { toInstant } from "../../plans/instants.ts";
import { sha256Of } from "../../../platform/sha256.ts";
import {
  imageUrlOf,
  inDrawingOrder,
  toComposed,
  type ComposedManifest,
  parseManifest,
} from "../../plans/compose-manifest.ts";
import { requireFrames, toPublishedAtMs, toRevisionId } from "./publish-revision.ts";
import { type Prepare, prepareEvent } from "../queries.ts";
import { createEventWriter, createRevisionWriter, type NextRevision } from "./revision-rows.ts";
import {
  toBounds,
  toPublishedLayer,
  type EventRow,
  type LayerRow,
  type RevisionRow,
} from "../catalog-rows.ts";
import type { StoredFiles } from "../../files/stored-files.ts";

/** Returns the function of one step. Call it inside a write transaction. */
export function createRepublication(
  prepare: Prepare,
  files: StoredFiles,
): (draft: RepublishDraft, now: Date) => RevisionRecord {
  const findEvent = prepareEvent(prepare);
  const revisionById = prepare<RevisionRow>("SELECT * FROM revisions WHERE event_id = ? AND revision_id = ?");
  const layersOf = prepare<LayerRow>("SELECT * FROM revision_layers WHERE revision = ?");
  const writeEvent = createEventWriter(prepare);
  const writeRevision = createRevisionWriter(prepare);
  const noteProgress = prepare("UPDATE events SET replay_of_event = ?, replay_of_sequence = ? WHERE id = ?");

  return (draft, now) => {
    const { eventId, of } = draft;
    const source = findEvent(of.eventId);
    const row = revisionById.first(of.eventId, of.revisionId);
    if (!source || row?.sequence !== of.sequence) {
      throw new AppError("not-found", `The event ${of.eventId} has no revision ${of.revisionId}.`);
    }
    const target = findEvent(eventId);
    requireContinuation(target, draft);
    const layers = inDrawingOrder(layersOf.all(row.id).map(toPublishedLayer));
    requireFrames(files, layers);
    const next = toNext(target, eventId, row, layers, now);
    const label = target?.label ?? markReplay(source.label);
    writeEvent(target, { kind: "historical-event", label, origin: source.origin }, next);
    noteProgress.run(of.eventId, of.sequence, eventId);
    return writeRevision(next, composeAgain(row, next));
  };
}

/** @throws AppError `invalid-input`, `conflict` */
function requireContinuation(target: EventRow | undefined, { eventId, after, of }: RepublishDraft): void {
  if (!EventId.safeParse(eventId).success || eventId === of.eventId) {
    throw new AppError("invalid-input", `"${eventId}" cannot be the event of a replay.`);
  }
  if (!target) {
    if (after === 0) return;
    throw new AppError("conflict", `The event ${eventId} is gone, so its replay cannot continue.`);
  }
  requireOpen(target);
  if (target.replay_of_event !== of.eventId) {
    throw new AppError(
      "conflict",
      `The event ${eventId} already exists and is not a replay of ${of.eventId}.`,
    );
  }
  if (target.last_sequence !== after || (target.replay_of_sequence ?? 0) >= of.sequence) {
    throw new AppError("conflict", `The event ${eventId} is already being replayed elsewhere.`);
  }
}

function toNext(
  target: EventRow | undefined,
  eventId: string,
  row: RevisionRow,
  layers: readonly PublishedLayer[],
  now: Date,
): NextRevision {
  const [first, ...others] = layers;
  if (!first) throw new AppError("stored-data-invalid", "A stored revision has no layer.");
  const sequence = (target?.last_sequence ?? 0) + 1;
  return {
    eventId,
    revisionId: toRevisionId(row.observed_at, sequence),
    sequence,
    observedAtMs: row.observed_at,
    publishedAtMs: toPublishedAtMs(target, now),
    layers: [first, ...others],
    bounds: toBounds(row),
  };
}

/** Composes the manifest from the original, with the fields that must differ. @throws AppError `stored-data-invalid` */
function composeAgain(row: RevisionRow, next: NextRevision): ComposedManifest {
  const { eventId, revisionId, sequence } = next;
  const original = parseStored(row);
  return toComposed({
    ...original,
    disclosure: replayDisclosureOf(original.disclosure),
    eventId,
    revisionId,
    sequence,
    generatedAt: toInstant(next.publishedAtMs),
    layers: original.layers.map((said) => {
      const layer = next.layers.find(({ productId }) => productId === said.id);
      if (!layer) throw damagedManifest(row);
      return { ...said, imageUrl: imageUrlOf(eventId, layer) };
    }),
  });
}

function parseStored(row: RevisionRow): MrmsManifest {
  if (sha256Of(row.manifest) !== row.manifest_sha256) throw damagedManifest(row);
  try {
    return parseManifest(row.manifest);
  } catch (error) {
    throw damagedManifest(row, error);
  }
}

function damagedManifest({ event_id, revision_id }: RevisionRow, cause?: unknown): AppError {
  return new AppError("stored-data-invalid", `The manifest of the revision ${revision_id} is damaged.`, {
    context: { eventId: event_id },
    cause,
  });
}
