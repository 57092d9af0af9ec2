// Which revisions of an event get a page in its briefing: one of four ways to say it, and what is wrong with numbers that a
// person types.
import { PublishBriefingInput } from "../../shared/contract/briefings.ts";

/** The host's own choice when nothing is said. */
export const newestPages = 12;
/** As many as one briefing may have. */
export const mostPages = 500;

export const revisionWays = ["newest", "all", "shown", "own"] as const;
export type RevisionWay = (typeof revisionWays)[number];

export interface RevisionChoice {
  readonly way: RevisionWay;
  /** What was typed, for `own`: `3, 7-12`. */
  readonly text: string;
}

export interface HeldRevisions {
  /** Ascending; the newest ones, as many as the viewer holds. */
  readonly held: readonly number[];
  /** The highest sequence that the event has. */
  readonly latest: number;
  /** Of the picture on screen. */
  readonly shown: number | undefined;
}

/** `sequences` undefined leaves the choice to the host; `pages` is how many revision pages come of it. */
export type ChosenRevisions =
  | {
      readonly sequences: readonly number[] | undefined;
      readonly pages: number;
      readonly problem?: undefined;
    }
  | { readonly problem: string };

export function chooseRevisions(
  { way, text }: RevisionChoice,
  { held, latest, shown }: HeldRevisions,
): ChosenRevisions {
  if (held.length === 0) return { problem: "It has no revision yet." };
  switch (way) {
    case "newest":
      return { sequences: undefined, pages: Math.min(newestPages, held.length) };
    case "all":
      return { sequences: held, pages: held.length };
    case "shown":
      return shown === undefined
        ? { problem: "No revision is on screen." }
        : { sequences: [shown], pages: 1 };
    case "own":
      return parseSequences(text, latest);
  }
}

/** Numbers and ranges, in any order, each counted once: `3, 7-12 15–16`. */
function parseSequences(text: string, latest: number): ChosenRevisions {
  const parts = text
    .replace(/\s*[-–]\s*/g, "-")
    .split(/[\s,;]+/)
    .filter((part) => part !== "");
  if (parts.length === 0) return { problem: "Enter the revisions first, such as 3, 7–12." };
  const sequences = new Set<number>();
  for (const part of parts) {
    const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? [];
    if (first === undefined || last === undefined)
      return { problem: `“${part}” is not a revision's number.` };
    const [from, to] = [Number(first), Number(last)];
    if (from < 1 || from > to) return { problem: `“${part}” is not a range of revisions.` };
    if (to > latest) return { problem: `The newest revision is ${latest}.` };
    if (to - from >= mostPages) return { problem: tooMany };
    for (let sequence = from; sequence <= to; sequence++) sequences.add(sequence);
    if (sequences.size > mostPages) return { problem: tooMany };
  }
  return { sequences: [...sequences].sort((one, other) => one - other), pages: sequences.size };
}

const tooMany = `A briefing may have ${mostPages} revisions at most.`;

/** A sentence, or undefined for an address that a briefing can be published under. An empty one is fine. */
export function findBaseProblem(text: string): string | undefined {
  if (text.trim() === "") return undefined;
  const { success } = PublishBriefingInput.shape.baseUrl.safeParse(text.trim());
  return success ? undefined : "This is not an address of the kind https://brief.example/storms/.";
}
