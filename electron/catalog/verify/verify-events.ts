// Verifies event rows: their form, their counters, and that they match their revisions.
import { messageOf } from "../../../shared/app-error.ts";
import { EventId } from "../../../shared/contract/primitives.ts";
import { StormEvent } from "../../../shared/contract/storm-event.ts";
import { eventPlace } from "./finding-places.ts";
import type { Findings, Steps } from "./findings.ts";
import { toEventRecord } from "../plans/event-state.ts";
import { toEventState, type EventRow, type ExtentRow } from "../rows/catalog-rows.ts";
import type { Prepare } from "../sqlite/queries.ts";

interface Summary extends ExtentRow {
  readonly count: number;
  readonly last: number | null;
  readonly newest_id: string | null;
  readonly published_at: number | null;
  /** Number of withdrawn revisions. */
  readonly withdrawn: number;
  readonly last_withdrawn: number | null;
}

export async function verifyEvents(prepare: Prepare, findings: Findings, steps: Steps): Promise<void> {
  const events = prepare<EventRow>("SELECT * FROM events ORDER BY id");
  const summary = prepare<Summary>(`
    SELECT count(*) AS count, max(sequence) AS last,
        (SELECT revision_id FROM revisions WHERE event_id = r.event_id ORDER BY sequence DESC LIMIT 1) AS newest_id,
        max(published_at) AS published_at, min(observed_at) AS started_at, max(observed_at) AS ended_at,
        min(west) AS west, min(south) AS south, max(east) AS east, max(north) AS north,
        (SELECT count(*) FROM withdrawn_revisions WHERE event_id = ?1) AS withdrawn,
        (SELECT max(sequence) FROM withdrawn_revisions WHERE event_id = ?1) AS last_withdrawn
      FROM revisions r WHERE event_id = ?1`);
  for (const event of events.all()) {
    const faults = faultsOf(event, () => summary.first(event.id)!);
    for (const what of faults) findings.fault(eventPlace(event.id), what);
    await steps.step();
  }
}

function faultsOf(event: EventRow, summarize: () => Summary): string[] {
  try {
    const summary = summarize();
    // A mirrored event's row comes from the remote, and may be ahead of its revisions or behind them.
    const extent = event.mirror_of === null ? extentFaults(event, summary) : [];
    return [...formFaults(event), ...sequenceFaults(event, summary), ...extent];
  } catch (error) {
    return [`It cannot be read: ${messageOf(error)}`];
  }
}

function formFaults(row: EventRow): string[] {
  const faults: string[] = [];
  if (!EventId.safeParse(row.id).success) faults.push("Its id is invalid.");
  const parsed = StormEvent.safeParse(toEventRecord(toEventState(row)));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    faults.push(`It violates the contract: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "unknown"}.`);
  }
  return faults;
}

function sequenceFaults(event: EventRow, summary: Summary): string[] {
  const faults: string[] = [];
  const { count, last, newest_id, published_at, withdrawn } = summary;
  const lastUsed = toLastUsed(event, summary);
  if (lastUsed !== event.last_sequence) {
    faults.push(`Its newest sequence is ${last ?? "none"}, but its counter is at ${event.last_sequence}.`);
  }
  if (event.current_revision_id !== newest_id) {
    faults.push(
      `Its current revision is ${event.current_revision_id ?? "none"}, its newest ${newest_id ?? "none"}.`,
    );
  }
  // A mirror starts with what the remote still had, and may miss what was published while it was offline.
  const isComplete = event.kind === "historical-event" && event.mirror_of === null;
  const missing = lastUsed - count - withdrawn;
  if (isComplete && missing > 0) {
    faults.push(`${missing} of its ${lastUsed} sequences are missing; a benchmark event must have them all.`);
  }
  if ((published_at ?? -Infinity) > (event.last_published_at ?? -Infinity)) {
    faults.push("A revision is newer than the event's last publication time.");
  }
  return faults;
}

/** Returns the highest sequence that any row accounts for. */
function toLastUsed({ pruned_sequence }: EventRow, { last, last_withdrawn }: Summary): number {
  return Math.max(last ?? 0, last_withdrawn ?? 0, pruned_sequence);
}

function extentFaults(event: EventRow, summary: Summary): string[] {
  if (summary.count === 0) return [];
  const faults: string[] = [];
  const within = (value: number | null, low: number | null, high: number | null): boolean =>
    value !== null && low !== null && high !== null && low <= value && value <= high;
  const inWindow =
    within(summary.started_at, event.started_at, event.ended_at) &&
    within(summary.ended_at, event.started_at, event.ended_at);
  if (!inWindow) faults.push("A revision is outside its window.");
  const inBounds =
    within(summary.west, event.west, event.east) &&
    within(summary.east, event.west, event.east) &&
    within(summary.south, event.south, event.north) &&
    within(summary.north, event.south, event.north);
  if (!inBounds) faults.push("A revision is outside its bounds.");
  return faults;
}
