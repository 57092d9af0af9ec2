// The other service's two lists, read so that one entry that breaks the contract does not hide the others: each entry is
// parsed by itself.
import * as z from "zod";
import { historyLimit, MrmsHistory, MrmsHistoryFrame } from "../../../shared/contract/history.ts";
import { EventId, RevisionId, Sequence } from "../../../shared/contract/primitives.ts";
import { StormEvent, stormEventLimit, StormEventList } from "../../../shared/contract/storm-event.ts";

/** More than the contract's limits is bounded too, and no reason to refuse the rest. */
const tolerance = 10;

const entries = (limit: number): z.ZodArray<z.ZodUnknown> => z.array(z.unknown()).max(limit * tolerance);

export const ListedEvents = StormEventList.extend({ events: entries(stormEventLimit) });
export type ListedEvents = z.infer<typeof ListedEvents>;

export const ListedHistory = MrmsHistory.extend({ frames: entries(historyLimit.max) });
export type ListedHistory = z.infer<typeof ListedHistory>;

export type Entry<Value> =
  | { readonly value: Value; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string };

/** @returns the events in the list's order; an id that is there twice counts once */
export function toEvents({ events }: ListedEvents): Entry<StormEvent>[] {
  const seen = new Set<string>();
  return events.flatMap((each): Entry<StormEvent>[] => {
    const entry = parseEntry(StormEvent.extend({ id: EventId }), each);
    if (entry.value && seen.has(entry.value.id)) return [];
    if (entry.value) seen.add(entry.value.id);
    return [entry];
  });
}

/** A revision that the history or a notice names, to be read and taken. */
export interface Candidate {
  readonly revisionId: string;
  readonly sequence: number;
  /** What the history says of it; undefined where only a notice named it. */
  readonly frame?: MrmsHistoryFrame;
  /** Where else its manifest is, as its notice says. */
  readonly manifestPath?: string;
  /** Why what is listed cannot be right. */
  readonly problem?: string;
}

export interface Candidates {
  /** In ascending sequence, each sequence once. */
  readonly listed: readonly Candidate[];
  /** Entries that cannot be addressed: they break the contract, or have no id and sequence. */
  readonly problems: readonly string[];
}

const Identity = z.object({ revisionId: RevisionId, sequence: Sequence });

export function toCandidates(frames: readonly unknown[]): Candidates {
  const bySequence = new Map<number, Candidate>();
  const problems: string[] = [];
  for (const each of frames) {
    const identity = Identity.safeParse(each);
    const frame = parseEntry(MrmsHistoryFrame, each);
    if (!identity.success) {
      problems.push(frame.problem ?? "A listed revision has no id and sequence that it could be read by.");
      continue;
    }
    const { revisionId, sequence } = identity.data;
    const earlier = bySequence.get(sequence);
    const problem =
      earlier && earlier.revisionId !== revisionId ? "Two revisions have one sequence." : frame.problem;
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
  const issue = result.error.issues[0];
  return {
    problem: `A listed entry breaks the contract: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}.`,
  };
}
