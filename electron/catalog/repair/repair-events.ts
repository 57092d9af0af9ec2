// Recomputes an event's row from its revisions: counters, current revision, window and bounds. Facts that only the row
// holds (kind, label, status, registered window) are never guessed. Withdraws a revision that cannot be repaired.
import type { Finding } from "../verify/findings.ts";
import { eventPlace } from "../verify/finding-places.ts";
import type { RepairContext } from "./repair-context.ts";
import type { EventRow, ExtentRow, RevisionRow } from "../rows/catalog-rows.ts";
import { maxInstantMs } from "../plans/instants.ts";
import { prepareCondemn } from "../sqlite/queries.ts";

/** If more sequences seem lost, the counter itself is damaged. */
const mostLost = 100_000;

type EventFacts = Pick<
  EventRow,
  "kind" | "mirror_of" | "pruned_sequence" | "registered_started_at" | "registered_ended_at"
> & { readonly last_sequence: number | null };

export interface EventRepair {
  /**
   * Recomputes an event's row, inside a write transaction. Ignores unknown events. A mirrored event's row comes from
   * the remote, so only its counter and current revision change.
   */
  settle(eventId: string): void;
  /** Records lost sequences as withdrawn, so that they stay used. Returns them. */
  recordLost(eventId: string): readonly number[];
}

const readable = (column: string, bound: number): string =>
  `CASE WHEN ${column} BETWEEN -${bound} AND ${bound} THEN ${column} END AS ${column}`;

export function createEventRepair({ prepare, nowMs }: Pick<RepairContext, "prepare" | "nowMs">): EventRepair {
  const factsOf = prepare<EventFacts>(`
    SELECT kind, mirror_of, pruned_sequence, ${readable("last_sequence", Number.MAX_SAFE_INTEGER)},
        ${readable("registered_started_at", maxInstantMs)}, ${readable("registered_ended_at", maxInstantMs)}
      FROM events WHERE id = ?`);
  const extentOf = prepare<ExtentRow>(`
    SELECT min(l.observed_at) AS started_at, max(l.observed_at) AS ended_at,
        min(l.west) AS west, min(l.south) AS south, max(l.east) AS east, max(l.north) AS north
      FROM revision_layers l WHERE l.event_id = ?`);
  const count = prepare(`
    UPDATE events SET
        last_sequence = max(last_sequence, pruned_sequence,
          (SELECT coalesce(max(sequence), 0) FROM revisions WHERE event_id = ?1),
          (SELECT coalesce(max(sequence), 0) FROM withdrawn_revisions WHERE event_id = ?1)),
        current_revision_id = (SELECT revision_id FROM revisions WHERE event_id = ?1 ORDER BY sequence DESC LIMIT 1),
        last_published_at = nullif(max(CASE WHEN last_published_at BETWEEN 0 AND ${maxInstantMs} THEN last_published_at ELSE 0 END,
          (SELECT coalesce(max(published_at), 0) FROM revisions WHERE event_id = ?1)), 0),
        updated_at = max(?2, CASE WHEN updated_at BETWEEN 0 AND ${maxInstantMs} THEN updated_at ELSE 0 END)
      WHERE id = ?1`);
  const extend = prepare(
    `UPDATE events SET started_at = ?, ended_at = ?, west = ?, south = ?, east = ?, north = ? WHERE id = ?`,
  );
  const sequences = prepare<{ sequence: number }>(`
    SELECT sequence FROM revisions WHERE event_id = ?1
      UNION SELECT sequence FROM withdrawn_revisions WHERE event_id = ?1 ORDER BY sequence`);
  const recordLost = prepare(`
    INSERT INTO withdrawn_revisions (event_id, sequence, revision_id, withdrawn_at, reason)
      VALUES (?, ?, 'unknown', ?, 'Its row was gone.')`);
  return {
    settle(eventId) {
      const facts = factsOf.first(eventId);
      if (!facts) return;
      count.run(eventId, nowMs);
      if (facts.mirror_of !== null) return;
      const data = extentOf.first(eventId)!;
      extend.run(
        pick(Math.min, facts.registered_started_at, data.started_at),
        pick(Math.max, facts.registered_ended_at, data.ended_at),
        ...[data.west, data.south, data.east, data.north],
        eventId,
      );
    },
    recordLost(eventId) {
      const facts = factsOf.first(eventId);
      if (facts?.mirror_of !== null || facts.last_sequence === null) return [];
      const known = new Set(sequences.all(eventId).map(({ sequence }) => sequence));
      // Retention removes old revisions of a live feed; those of a benchmark event should all exist.
      const newest = Math.max(0, facts.pruned_sequence, ...known);
      const first = facts.kind === "historical-event" ? 1 : newest + 1;
      if (facts.last_sequence - first - known.size > mostLost) return [];
      const lost: number[] = [];
      for (let sequence = first; sequence <= facts.last_sequence; sequence += 1) {
        if (!known.has(sequence)) lost.push(sequence);
      }
      for (const sequence of lost) recordLost.run(eventId, sequence, nowMs);
      return lost;
    },
  };
}

/** Returns the lowest or highest of the values that are not null; null if there is none. */
function pick(choose: typeof Math.min, ...values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : choose(...known);
}

/** Recomputes the events of these findings. Reports each changed event once, with all its faults. */
export async function repairEvents(
  faultsOfEvents: ReadonlyMap<string, readonly Finding[]>,
  context: RepairContext,
): Promise<void> {
  const { prepare, commit, noteRepair, report } = context;
  const events = createEventRepair(context);
  // Quoted, because JavaScript may be unable to hold a damaged number.
  const columns = [
    ...["started_at", "ended_at", "west", "south", "east", "north", "current_revision_id", "last_sequence"],
    ...["last_published_at", `updated_at BETWEEN 0 AND ${maxInstantMs}`],
  ];
  const rowOf = prepare<{ row: string }>(
    `SELECT concat_ws(' ', ${columns.map((column) => `quote(${column})`).join(", ")}) AS row FROM events WHERE id = ?`,
  );
  for (const [eventId, faults] of faultsOfEvents) {
    const { lost, isChanged } = await commit(() => {
      const before = rowOf.first(eventId)?.row;
      events.settle(eventId);
      const lostNow = events.recordLost(eventId);
      const changed = lostNow.length > 0 || before !== rowOf.first(eventId)?.row;
      if (changed) noteRepair();
      return { lost: lostNow, isChanged: changed };
    });
    if (!isChanged) continue;
    const addition =
      lost.length === 0
        ? ""
        : ` Lost revisions (sequence ${lost.join(", ")}) were recorded as withdrawn; their sequences stay used.`;
    report({
      severity: "fault",
      where: eventPlace(eventId),
      what: faults.map(({ what }) => what).join(" "),
      repaired: `Its row was recomputed from its revisions.${addition}`,
    });
  }
}

/** Columns that find a revision. */
export type RevisionPosition = Pick<RevisionRow, "id" | "event_id" | "sequence">;

/**
 * Returns a function that withdraws a revision, inside a write transaction. Its sequence stays used; its files are
 * removed unless others show them. The event must exist.
 */
export function createWithdrawal(
  context: RepairContext,
): (revision: RevisionPosition, reason: string) => void {
  const { prepare, nowMs, noteRepair } = context;
  const events = createEventRepair(context);
  const record = prepare(`
    INSERT OR REPLACE INTO withdrawn_revisions (event_id, sequence, revision_id, withdrawn_at, reason)
      SELECT event_id, sequence, revision_id, ?, ? FROM revisions WHERE id = ?`);
  const condemn = prepareCondemn(prepare);
  const remove = prepare("DELETE FROM revisions WHERE id = ?");
  return ({ id, event_id }, reason) => {
    record.run(nowMs, reason, id);
    condemn(id);
    // This also removes its layers (ON DELETE CASCADE).
    remove.run(id);
    events.settle(event_id);
    noteRepair();
  };
}
