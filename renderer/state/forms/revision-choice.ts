// The choice of revisions that get a page in a briefing: one of four ways, and the check of numbers that a person
// types.
import { PublishBriefingInput } from "../../../shared/contract/briefings.ts";

/** Pages that the host makes by default. */
export const newestPages = 12;
/** Most revisions in one briefing. */
export const mostPages = 500;

export const revisionWays = ["newest", "all", "shown", "own"] as const;
export type RevisionWay = (typeof revisionWays)[number];

export interface RevisionChoice {
  readonly way: RevisionWay;
  /** The typed text for `own`, such as `3, 7-12`. */
  readonly text: string;
}

export interface HeldRevisions {
  /** Sequences of the newest revisions that the viewer holds, ascending. */
  readonly held: readonly number[];
  /** Highest sequence of the event. */
  readonly latest: number;
  /** Sequence of the picture on screen. */
  readonly shown: number | undefined;
}

/** Undefined `sequences` leave the choice to the host; `pages` counts the revision pages. */
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
  if (held.length === 0) return { problem: "No frames yet" };
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

/** Parses numbers and ranges in any order, such as `3, 7-12 15–16`, without duplicates. */
function parseSequences(text: string, latest: number): ChosenRevisions {
  const parts = text
    .replace(/\s*[-–]\s*/g, "-")
    .split(/[\s,;]+/)
    .filter((part) => part !== "");
  if (parts.length === 0) return { problem: "Enter the revisions first, such as 3, 7–12." };
  const sequences = new Set<number>();
  for (const part of parts) {
    const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? [];
    if (first === undefined || last === undefined) return { problem: `“${part}” is not a revision number.` };
    const [from, to] = [Number(first), Number(last)];
    if (from < 1 || from > to) return { problem: `“${part}” is not a range of revisions.` };
    if (to > latest) return { problem: `The newest revision is ${latest}.` };
    if (to - from >= mostPages) return { problem: tooMany };
    for (let sequence = from; sequence <= to; sequence++) sequences.add(sequence);
    if (sequences.size > mostPages) return { problem: tooMany };
  }
  return { sequences: [...sequences].sort((one, other) => one - other), pages: sequences.size };
}

const tooMany = `A briefing may have at most ${mostPages} revisions.`;

/** Returns the problem of a base address as a sentence, or undefined if it is valid or empty. */
export function findBaseProblem(text: string): string | undefined {
  if (text.trim() === "") return undefined;
  const { success } = PublishBriefingInput.shape.baseUrl.safeParse(text.trim());
  return success ? undefined : "Enter an address such as https://brief.example/storms/.";
}
