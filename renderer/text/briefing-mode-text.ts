// The words of briefing mode: of its steps, and on the projector.
import type { BriefingState, Keeping } from "../state/briefing/briefing-store.ts";
import type { Show } from "../state/briefing/show.ts";
import type { Revision } from "../state/timeline/revisions.ts";
import type { Standing } from "../state/timeline/standing.ts";
import type { PublicationKind } from "../../shared/revisions/publication.ts";
import { counted, minuteWithZone } from "./format.ts";
import { publicationMoment, withoutYear } from "./known-at-text.ts";

/** `2 newer revisions wait` */
export function waitingWords(count: number): string {
  return counted(count, "newer revision waits", "newer revisions wait");
}

/**
 * `Frozen at 21:46:10 UTC`, with the day if the picture is of another one; by its number if nobody knows when the
 * revision was published.
 */
export function frozenWords(
  sequence: number,
  publishedMs: number | undefined,
  observedMs: number | undefined,
): string {
  return publishedMs === undefined
    ? `Frozen at revision ${sequence}`
    : `Frozen at ${withoutYear(publicationMoment(publishedMs, observedMs))}`;
}

/** `Briefing, step 3 of 6, Hail core over Norman` */
export function showTitle({ steps, current }: Pick<Show, "steps" | "current">): string {
  return `Briefing, step ${current + 1} of ${steps.length}, ${steps[current]?.title ?? ""}`;
}

const changeWords: Readonly<Record<PublicationKind, string>> = {
  new: "",
  correction: "correction",
  completion: "layer added",
  backfill: "late arrival",
  unknown: "",
};

/** `correction of 15`, `corrected later by 30`: what a revision is among those of its window. */
export function revisionWords(
  kind: PublicationKind,
  supersedes: Revision | undefined,
  { replacedBy, isCorrectedLater }: Standing,
): { readonly words: string; readonly isLate: boolean } {
  if (replacedBy) {
    return {
      words: `${isCorrectedLater ? "corrected" : "completed"} later by ${replacedBy.sequence}`,
      isLate: isCorrectedLater,
    };
  }
  const words = changeWords[kind];
  const of = kind === "completion" ? "to" : "of";
  return {
    words: words !== "" && supersedes ? `${words} ${of} ${supersedes.sequence}` : words,
    isLate: kind === "correction" || kind === "backfill",
  };
}

/** Title of a new step until the person gives it another. */
export function newStepTitle(label: string | undefined, revision: Revision | undefined): string {
  const words = [label, revision && minuteWithZone(revision.observedMs)].filter(Boolean).join(", ");
  return words === "" ? "View on screen" : words.slice(0, 120);
}

export function keepingWords(keeping: Keeping, isInPage: boolean): string {
  switch (keeping.kind) {
    case "kept":
      return isInPage ? "Kept in this browser" : "Saved";
    case "keeping":
      return "Saving…";
    case "conflict":
      return "These steps were changed elsewhere. Which list remains?";
    case "failed":
      return `Not saved. ${keeping.problem}`;
  }
}

export const stepsPhaseWords: Readonly<Record<BriefingState["phase"], string>> = {
  reading: "Reading the steps…",
  ready: "No steps yet. A step is the view on screen, with a title for the room and notes for you.",
  failed: "The steps could not be read.",
};
