// Adopts events and revisions of a remote service or a pack: gathers the state under the event's lock, and carries out
// the plan.
import type { StormEvent } from "../../../../shared/contract/storm-event.ts";
import type { AdoptDraft, AdoptOutcome } from "../../catalog.ts";
import {
  checkAdoption,
  planAdoption,
  planEventAdoption,
  type Adoption,
  type AdoptionState,
} from "../../plans/plan-adoption.ts";
import { lockEvent, type Query } from "./service-transaction.ts";
import { holdStored, writeEvent, writeRevision } from "./write-rows.ts";

export async function writeEventAdoption(query: Query, mirrorOf: string, event: StormEvent): Promise<void> {
  const adopted = planEventAdoption(await lockEvent(query, event.id), mirrorOf, event);
  if (adopted) await writeEvent(query, adopted);
}

export async function writeAdoption(query: Query, draft: AdoptDraft): Promise<AdoptOutcome> {
  const adoption = checkAdoption(draft);
  const { event, revision } = planAdoption(adoption, await gather(query, adoption));
  if (!revision) {
    if (event) await writeEvent(query, event);
    return "known";
  }
  // A new revision always changes its event.
  await writeRevision(query, event!, revision);
  await query("DELETE FROM withdrawn_revisions WHERE event_id = $1 AND sequence = $2", [
    revision.eventId,
    revision.sequence,
  ]);
  return "adopted";
}

async function gather(
  query: Query,
  { event: { id }, revision: { revisionId, sequence }, layers }: Adoption,
): Promise<AdoptionState> {
  const event = await lockEvent(query, id);
  const [known] = await query<NonNullable<AdoptionState["known"]>>(
    `SELECT sequence, manifest_sha256 AS "manifestSha256" FROM revisions WHERE event_id = $1 AND revision_id = $2`,
    [id, revisionId],
  );
  const [latest] = await query<NonNullable<AdoptionState["latest"]>>(
    `SELECT revision_id AS "revisionId", sequence FROM revisions WHERE event_id = $1 ORDER BY sequence DESC LIMIT 1`,
    [id],
  );
  const [withdrawn] = await query<{ revision_id: string }>(
    "SELECT revision_id FROM withdrawn_revisions WHERE event_id = $1 AND sequence = $2",
    [id, sequence],
  );
  const storedFrames = await holdStored(query, layers);
  return { event, known, latest, withdrawnRevisionId: withdrawn?.revision_id, storedFrames };
}
