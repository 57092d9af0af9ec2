// Withdraws a revision that cannot be repaired. Its sequence stays used; its files are removed unless others show them.
import { prepare, prepareCondemn } from "../queries.ts";
import type { RepairContext } from "./repair-context.ts";
import { createEventRepair } from "./repair-events.ts";

export interface RevisionPosition {
  /** Primary key of the row. */
  readonly id: number;
  readonly event_id: string;
  readonly sequence: number;
}

/** Runs inside a write transaction. The event must exist. */
export type Withdraw = (revision: RevisionPosition, reason: string) => void;

export function createWithdrawal(context: RepairContext): Withdraw {
  const { database, nowMs, noteRepair } = context;
  const events = createEventRepair(context);
  const record = prepare(
    database,
    `INSERT OR REPLACE INTO withdrawn_revisions (event_id, sequence, revision_id, withdrawn_at, reason)
       SELECT event_id, sequence, revision_id, ?, ? FROM revisions WHERE id = ?`,
  );
  const condemn = prepareCondemn(database);
  const remove = prepare(database, "DELETE FROM revisions WHERE id = ?");
  return ({ id, event_id }, reason) => {
    record.run(nowMs, reason, id);
    condemn(id);
    // This also removes its layers (ON DELETE CASCADE).
    remove.run(id);
    events.settle(event_id);
    noteRepair();
  };
}
