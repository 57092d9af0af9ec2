// Verifies event rows: their form, their counters, and that they match their revisions.
import { messageOf } from "../../../shared/app-error.ts";
import { EventId } from "../../../shared/contract/primitives.ts";
import { StormEvent } from "../../../shared/contract/storm-event.ts";
import { eventPlace } from "./finding-places.ts";
import type { Findings, Steps } from "./findings.ts";
import { toEventRecord } from "../plans/event-state.ts";
import { toEventState, type EventRow } from "../rows/catalog-rows.ts";
import type { EventSummaryRow } from "../rows/stored-rows.ts";

/** An event of any engine. */
export interface CheckedEvent {
  readonly row: EventRow;
  /** May throw for a damaged row. */
  readonly summarize: () => EventSummaryRow;
}

export async function verifyEvents(
  events: Iterable<CheckedEvent> | AsyncIterable<CheckedEvent>,
  findings: Findings,
  steps: Steps,
): Promise<void> {
  for await (const event of events) {
    for (const what of faultsOf(event)) findings.fault(eventPlace(event.row.id, findings.catalog), what);
    await steps.step();
  }
}

function faultsOf({ row: event, summarize }: CheckedEvent): string[] {
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

function sequenceFaults(event: EventRow, summary: EventSummaryRow): string[] {
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
function toLastUsed({ pruned_sequence }: EventRow, { last, last_withdrawn }: EventSummaryRow): number {
  return Math.max(last ?? 0, last_withdrawn ?? 0, pruned_sequence);
}

function extentFaults(event: EventRow, summary: EventSummaryRow): string[] {
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
