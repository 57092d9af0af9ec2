// Withdraws a revision that cannot be made good. Its sequence stays used, and its files go where nothing else shows them.
import { prepare } from "../queries.ts";
import type { RepairContext } from "./repair-context.ts";
import { createEventRepair } from "./repair-events.ts";

export interface RevisionPosition {
  /** The row's own number. */
  readonly id: number;
  readonly event_id: string;
  readonly sequence: number;
}

/** To be called inside a write transaction. The event must be there. */
export type Withdraw = (revision: RevisionPosition, reason: string) => void;

export function createWithdrawal(context: RepairContext): Withdraw {
  const { database, nowMs, noteRepair } = context;
  const events = createEventRepair(context);
  const record = prepare(
    database,
    `INSERT OR REPLACE INTO withdrawn_revisions (event_id, sequence, revision_id, withdrawn_at, reason)
       SELECT event_id, sequence, revision_id, ?, ? FROM revisions WHERE id = ?`,
  );
  const condemn = [
    ["frame", "frame_id"],
    ["source", "source_sha256"],
  ].map(([kind, column]) =>
    prepare(
      database,
      `INSERT OR IGNORE INTO condemned_files (kind, name)
         SELECT '${kind}', ${column} FROM revision_layers WHERE revision = ? AND ${column} IS NOT NULL`,
    ),
  );
  const remove = prepare(database, "DELETE FROM revisions WHERE id = ?");
  return ({ id, event_id }, reason) => {
    record.run(nowMs, reason, id);
    for (const each of condemn) each.run(id);
    // Its layers go with it.
    remove.run(id);
    events.settle(event_id);
    noteRepair();
  };
}
