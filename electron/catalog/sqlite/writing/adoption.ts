// Adopts events and revisions of a remote service or a pack: gathers the state inside the transaction, and carries out
// the plan.
import type { StormEvent } from "../../../../shared/contract/storm-event.ts";
import type { AdoptOutcome } from "../../catalog.ts";
import {
  planAdoption,
  planEventAdoption,
  type Adoption,
  type AdoptionState,
} from "../../plans/plan-adoption.ts";
import { type Prepare, prepareEvent, prepareNote } from "../queries.ts";
import { createEventWriter, createRevisionWriter } from "./revision-rows.ts";
import type { StoredAmong } from "./stored-frames.ts";

export interface AdoptionWrites {
  adoptEvent(mirrorOf: string, event: StormEvent): void;
  adopt(adoption: Adoption, storedAmong: StoredAmong): AdoptOutcome;
}

/** Call the functions inside a write transaction. */
export function createAdoption(prepare: Prepare): AdoptionWrites {
  const findEvent = prepareEvent(prepare);
  const gather = createGathering(prepare);
  const writeEvent = createEventWriter(prepare);
  const writeRevision = createRevisionWriter(prepare);
  const forgetWithdrawal = prepare("DELETE FROM withdrawn_revisions WHERE event_id = ? AND sequence = ?");
  const noteContent = prepareNote(prepare, "content_version");
  return {
    adoptEvent(mirrorOf, event) {
      const adopted = planEventAdoption(findEvent(event.id), mirrorOf, event);
      if (!adopted) return;
      writeEvent(adopted);
      noteContent();
    },
    adopt(adoption, storedAmong) {
      const { event, revision } = planAdoption(adoption, gather(adoption, storedAmong));
      if (event) {
        writeEvent(event);
        noteContent();
      }
      if (!revision) return "known";
      writeRevision(revision);
      forgetWithdrawal.run(revision.eventId, revision.sequence);
      return "adopted";
    },
  };
}

function createGathering(prepare: Prepare): (adoption: Adoption, storedAmong: StoredAmong) => AdoptionState {
  const findEvent = prepareEvent(prepare);
  const byId = prepare<NonNullable<AdoptionState["known"]>>(
    `SELECT sequence, manifest_sha256 AS "manifestSha256" FROM revisions WHERE event_id = ? AND revision_id = ?`,
  );
  const latest = prepare<NonNullable<AdoptionState["latest"]>>(`
    SELECT revision_id AS "revisionId", sequence FROM revisions WHERE event_id = ? ORDER BY sequence DESC LIMIT 1`);
  const withdrawal = prepare<{ revision_id: string }>(
    "SELECT revision_id FROM withdrawn_revisions WHERE event_id = ? AND sequence = ?",
  );
  return ({ event: { id }, revision: { revisionId, sequence }, layers }, storedAmong) => ({
    event: findEvent(id),
    known: byId.first(id, revisionId),
    latest: latest.first(id),
    withdrawnRevisionId: withdrawal.first(id, sequence)?.revision_id,
    storedFrames: storedAmong(layers),
  });
}
