// The words of the briefings panel: what a briefing is to us, which revisions it has, and whether it is up to date.
import type { Briefing } from "../../shared/contract/briefings.ts";
import { counted, instantWords } from "./format.ts";
import type { BriefingView } from "../state/slices/briefings-slice.ts";
import type { ChosenRevisions } from "../state/revision-choice.ts";

export const briefingViewWords: Readonly<Record<BriefingView, string>> = {
  briefings: "Briefings",
  gateway: "Gateway",
  redirects: "Redirects",
  explain: "Explain",
};

/** What a briefing is, in one breath, for whoever opens the panel for the first time. */
export const briefingSentence =
  "A briefing is an event as plain web pages: one for the event and one for each chosen revision, with a picture, its times and its caveats. Anybody can read it in any browser.";

/** `13 pages · 2 Nov 2026 11:20 UTC` */
export function briefingFacts({ revisionPages, publishedAt }: Briefing): string {
  return `${counted(revisionPages + 1, "page", "pages")} · ${instantWords(publishedAt)}`;
}

/** Undefined while it is up to date. */
export function behindWords({ behind }: Briefing): string | undefined {
  if (behind === 0) return undefined;
  return `${counted(behind, "revision was", "revisions were")} published after it.`;
}

/** What publishing will make, or why it cannot. */
export function choiceWords(chosen: ChosenRevisions): string {
  if (chosen.problem !== undefined) return chosen.problem;
  const { sequences, pages } = chosen;
  const last = sequences?.at(-1);
  const which =
    sequences === undefined || last === undefined
      ? pages === 1
        ? "its newest revision"
        : `each of its newest ${pages} revisions`
      : pages === 1
        ? `revision ${last}`
        : `each of ${pages} revisions between ${sequences[0]} and ${last}`;
  return `A page of the event, and one of ${which}.`;
}
