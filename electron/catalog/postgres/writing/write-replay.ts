// One step of a replay: gathers the state under the lock of the replay's event, and carries out the plan.
import type { RepublishDraft, RevisionRecord } from "../../catalog.ts";
import type { EventState } from "../../plans/event-state.ts";
import { planRepublication, type StoredRevision } from "../../plans/plan-republication.ts";
import { toBounds, toEventState, toPublishedLayer, toRevisionRecord } from "../../rows/catalog-rows.ts";
import type { EventRow, LayerRow, RevisionRow } from "../../rows/catalog-rows.ts";
import { eventColumns, layerColumns, revisionColumns } from "../service-columns.ts";
import { lockEvent, readClock, type Query } from "./service-transaction.ts";
import { holdStored, writeRevision } from "./write-rows.ts";

/** `isAgain`: the answer of an earlier commit was lost, so the step may be done already. */
export async function writeReplayStep(
  query: Query,
  draft: RepublishDraft,
  isAgain: boolean,
): Promise<RevisionRecord> {
  const { eventId, of } = draft;
  const target = await lockEvent(query, eventId);
  if (isAgain && target && isDone(target, draft)) return findRevisionBySequence(query, target);
  const [source] = await query<EventRow>(`SELECT ${eventColumns} FROM events WHERE id = $1`, [of.eventId]);
  const original = await findOriginal(query, of);
  const state = {
    source: source && toEventState(source),
    original,
    target,
    storedFrames: await holdStored(query, original?.layers ?? []),
  };
  const { event, revision } = planRepublication(draft, state, await readClock(query));
  return writeRevision(query, event, revision);
}

function isDone({ replayOf, lastSequence }: EventState, { after, of }: RepublishDraft): boolean {
  return replayOf?.eventId === of.eventId && replayOf.sequence === of.sequence && lastSequence === after + 1;
}

async function findRevisionBySequence(
  query: Query,
  { id, lastSequence }: EventState,
): Promise<RevisionRecord> {
  const sql = `SELECT ${revisionColumns} FROM revisions WHERE event_id = $1 AND sequence = $2`;
  const [row] = await query<RevisionRow>(sql, [id, lastSequence]);
  return toRevisionRecord(row!);
}

async function findOriginal(
  query: Query,
  { eventId, revisionId }: RepublishDraft["of"],
): Promise<StoredRevision | undefined> {
  const sql = `SELECT ${revisionColumns} FROM revisions WHERE event_id = $1 AND revision_id = $2`;
  const [row] = await query<RevisionRow>(sql, [eventId, revisionId]);
  if (!row) return undefined;
  const layers = await query<LayerRow>(`SELECT ${layerColumns} FROM revision_layers WHERE revision = $1`, [
    row.id,
  ]);
  return {
    sequence: row.sequence,
    manifest: row.manifest,
    manifestSha256: row.manifest_sha256,
    observedAtMs: row.observed_at,
    bounds: toBounds(row),
    layers: layers.map(toPublishedLayer),
  };
}
