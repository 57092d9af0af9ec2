// The words about packs: packs, their shared copies, the changes between two versions.
import type { Pack, PackChange, PackComparison, PackShare } from "../../shared/contract/packs.ts";
import type { PublicationKind } from "../../shared/revisions/publication.ts";
import type { ChangeRow } from "../state/acting/pack-changes.ts";
import type { SharingObstacle } from "../state/slices/packs-slice.ts";
import { clockDay, clockShort, clockWindow, counted, instantWords } from "./format.ts";
import { layerShortNames } from "./state-text.ts";

export const packIntroduction =
  "A pack is an event with all its revisions, frames and sources, in a Git repository that a colleague can download.";

export const sharingObstacleWords: Readonly<Record<SharingObstacle, string>> = {
  "git-missing": "Sharing needs Git; downloading does not.",
  "hosting-off": "Turn on sharing so colleagues you invite can download this event",
  "hosting-failed": "Sharing could not be started.",
};

/** `Revision 31 · pack has 28` */
export function packFacts({ latestSequence, exportedSequence, shared }: Pack): string {
  if (latestSequence === 0) return "No frames yet";
  const facts = [`Revision ${latestSequence}`];
  if (exportedSequence !== null)
    facts.push(exportedSequence >= latestSequence ? "pack up to date" : `pack has ${exportedSequence}`);
  if (shared !== null && shared.pending > 0) facts.push(`${shared.pending} not shared yet`);
  return facts.join(" · ");
}

/** Describes the shared copy. */
export function shareWords({ lastPushedAt, pending, problem }: PackShare): string {
  const last = lastPushedAt === null ? "" : ` Last updated ${instantWords(lastPushedAt)}.`;
  if (problem !== null) return `${problem}${last}`;
  if (pending > 0)
    return `${counted(pending, "revision is", "revisions are")} not in the shared copy yet.${last}`;
  return `The shared copy is up to date.${last}`;
}

/** Lifetimes of an invitation. */
export const inviteChoices = [
  { seconds: 3_600, words: "1 hour" },
  { seconds: 86_400, words: "1 day" },
  { seconds: 7 * 86_400, words: "1 week" },
  { seconds: 30 * 86_400, words: "30 days" },
] as const;

const changeNames: Readonly<Record<PublicationKind, readonly [one: string, many: string]>> = {
  new: ["new frame", "new frames"],
  correction: ["correction", "corrections"],
  completion: ["added layer", "added layers"],
  backfill: ["late arrival", "late arrivals"],
  unknown: ["older frame", "older frames"],
};

/** `28 new frames, 2 corrections, 1 added layer` */
export function countsWords(counts: PackComparison["counts"]): string {
  return (Object.keys(changeNames) as PublicationKind[])
    .filter((kind) => counts[kind] > 0)
    .map((kind) => counted(counts[kind], ...changeNames[kind]))
    .join(", ");
}

/** One row of the list of changes. */
export interface ChangeWords {
  /** `12–19` or `20` */
  readonly revisions: string;
  readonly what: string;
  /** Observation times. */
  readonly when: string;
}

export function changeRowWords(row: ChangeRow): ChangeWords {
  if (row.kind === "single") return singleWords(row.change);
  const { firstSequence, lastSequence, count } = row;
  return {
    revisions: firstSequence === lastSequence ? String(lastSequence) : `${firstSequence}–${lastSequence}`,
    what: counted(count, ...changeNames.new),
    when: clockWindow(Date.parse(row.firstObservedAt), Date.parse(row.lastObservedAt)),
  };
}

function singleWords({ sequence, observedAt, kind, late, supersedes, products }: PackChange): ChangeWords {
  const of = supersedes === null ? "" : ` of ${supersedes}`;
  const layers = products.map((id) => layerShortNames[id]).join(", ");
  const words: Readonly<Record<PublicationKind, string>> = {
    new: "New frame",
    correction: `${late ? "Late correction" : "Correction"}${of}${layers && `: ${layers}`}`,
    completion: `${layers || "Layer"} added${supersedes === null ? "" : ` to ${supersedes}`}`,
    backfill: "Late arrival: older frame filled in",
    unknown: "Older frame; its earlier versions are not kept here",
  };
  const observedMs = Date.parse(observedAt);
  return {
    revisions: String(sequence),
    what: words[kind],
    when: `${clockDay(observedMs)} ${clockShort(observedMs)}`,
  };
}
