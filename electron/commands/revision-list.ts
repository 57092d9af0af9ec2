// The grammar of `--revisions`: `3,5,9-12`, `all`, `latest`, `latest:N`.
import { UsageError } from "./option-values.ts";

export interface RevisionChoice {
  /** Sequences in the order of the list, each once. */
  readonly sequences?: readonly number[];
  /** Number of the newest revisions; Infinity for all. */
  readonly newest?: number;
}

/** Longest range, more than any briefing takes; refuses `1-999999999` before expanding it. */
const longestRange = 10_000;

/** @throws UsageError */
export function parseRevisionList(text: string): RevisionChoice {
  if (text === "all") return { newest: Infinity };
  if (text === "latest") return { newest: 1 };
  const newest = /^latest:([1-9]\d{0,5})$/.exec(text)?.[1];
  if (newest !== undefined) return { newest: Number(newest) };
  const sequences = new Set<number>();
  for (const part of text.split(",")) {
    const match = /^([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/.exec(part.trim());
    if (!match) throw refusal(text);
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (last < first || last - first >= longestRange) throw refusal(text);
    for (let sequence = first; sequence <= last; sequence++) sequences.add(sequence);
  }
  return { sequences: [...sequences] };
}

function refusal(text: string): UsageError {
  return new UsageError(
    `--revisions takes sequences such as 3,5,9-12, or all, latest or latest:N, not "${text}".`,
  );
}
