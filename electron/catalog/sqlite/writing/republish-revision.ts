// One step of a replay: gathers the state inside the transaction, and carries out the plan.
import type { RepublishDraft, RevisionRecord } from "../../catalog.ts";
import { planRepublication, type StoredRevision } from "../../plans/plan-republication.ts";
import { toBounds, toPublishedLayer, type LayerRow, type RevisionRow } from "../../rows/catalog-rows.ts";
import { type Prepare, prepareEvent } from "../queries.ts";
import { createEventWriter, createRevisionWriter } from "./revision-rows.ts";
import type { StoredAmong } from "./stored-frames.ts";

/** Returns the function of one step. Call it inside a write transaction. */
export function createRepublication(
  prepare: Prepare,
): (draft: RepublishDraft, storedAmong: StoredAmong, now: Date) => RevisionRecord {
  const findEvent = prepareEvent(prepare);
  const findOriginal = createOriginals(prepare);
  const writeEvent = createEventWriter(prepare);
  const writeRevision = createRevisionWriter(prepare);
  return (draft, storedAmong, now) => {
    const { eventId, of } = draft;
    const original = findOriginal(of);
    const state = {
      source: findEvent(of.eventId),
      original,
      target: findEvent(eventId),
      storedFrames: storedAmong(original?.layers ?? []),
    };
    const { event, revision } = planRepublication(draft, state, now.getTime());
    writeEvent(event);
    return writeRevision(revision);
  };
}

function createOriginals(prepare: Prepare): (of: RepublishDraft["of"]) => StoredRevision | undefined {
  const byId = prepare<RevisionRow>("SELECT * FROM revisions WHERE event_id = ? AND revision_id = ?");
  const layersOf = prepare<LayerRow>("SELECT * FROM revision_layers WHERE revision = ?");
  return ({ eventId, revisionId }) => {
    const row = byId.first(eventId, revisionId);
    return (
      row && {
        sequence: row.sequence,
        manifest: row.manifest,
        manifestSha256: row.manifest_sha256,
        observedAtMs: row.observed_at,
        bounds: toBounds(row),
        layers: layersOf.all(row.id).map(toPublishedLayer),
      }
    );
  };
}
