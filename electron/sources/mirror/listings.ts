// The remote service's lists of events and revisions. Entries are parsed one by one, so that an invalid one does not
// hide the others.
import * as z from "zod";
import { historyLimit, MrmsHistory, MrmsHistoryFrame } from "../../../shared/contract/history.ts";
import { EventId, EventLabel, RevisionId, Sequence } from "../../../shared/contract/primitives.ts";
import { StormEvent, stormEventLimit, StormEventList } from "../../../shared/contract/storm-event.ts";
import { listTolerance } from "./mirror-limits.ts";

const entries = (limit: number): z.ZodArray<z.ZodUnknown> => z.array(z.unknown()).max(limit * listTolerance);

export const ListedEvents = StormEventList.extend({ events: entries(stormEventLimit) });
export type ListedEvents = z.infer<typeof ListedEvents>;

export const ListedHistory = MrmsHistory.extend({ frames: entries(historyLimit.max) });
export type ListedHistory = z.infer<typeof ListedHistory>;

export type Entry<Value> =
  | { readonly value: Value; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string };

/** Returns the events in the list's order; of several with one id, the first. */
export function toEvents({ events }: ListedEvents): Entry<StormEvent>[] {
  const seen = new Set<string>();
  return events.flatMap((each): Entry<StormEvent>[] => {
    const entry = parseEntry(StormEvent.extend({ id: EventId, label: EventLabel }), each);
    if (entry.value && seen.has(entry.value.id)) return [];
    if (entry.value) seen.add(entry.value.id);
    return [entry];
  });
}

/** A revision named by the history or a notice, not fetched yet. */
export interface Candidate {
  readonly revisionId: string;
  readonly sequence: number;
  /** Its entry in the history; undefined if only a notice named it. */
  readonly frame?: MrmsHistoryFrame;
  /** Another URL of its manifest, from its notice. */
  readonly manifestPath?: string;
  /** Why its entry is invalid. */
  readonly problem?: string;
}

const Identity = z.object({ revisionId: RevisionId, sequence: Sequence });

/** Returns the candidates in ascending sequence, and problems of entries without a usable id and sequence. */
export function toCandidates(frames: readonly unknown[]): {
  readonly listed: readonly Candidate[];
  readonly problems: readonly string[];
} {
  const bySequence = new Map<number, Candidate>();
  const problems: string[] = [];
  for (const each of frames) {
    const identity = Identity.safeParse(each);
    const frame = parseEntry(MrmsHistoryFrame, each);
    if (!identity.success) {
      problems.push(frame.problem ?? "A listed revision has no id or no sequence.");
      continue;
    }
    const { revisionId, sequence } = identity.data;
    const earlier = bySequence.get(sequence);
    const problem =
      earlier && earlier.revisionId !== revisionId ? "Two revisions have the same sequence." : frame.problem;
    bySequence.set(sequence, {
      revisionId,
      sequence,
      ...(frame.value && { frame: frame.value }),
      ...(problem !== undefined && { problem }),
    });
  }
  const listed = [...bySequence.values()].sort((a, b) => a.sequence - b.sequence);
  return { listed, problems };
}

function parseEntry<Value>(schema: z.ZodType<Value>, entry: unknown): Entry<Value> {
  const result = schema.safeParse(entry);
  if (result.success) return { value: result.data };
  return { problem: `A listed entry breaks the contract: ${firstIssue(result.error)}.` };
}

/** Returns the path and message of a schema's first complaint. */
export function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  const where = issue && issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
  return `${where}${issue?.message ?? "unknown"}`;
}
