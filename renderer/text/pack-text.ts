// The words of the packs panel: what a pack is to us, how its shared copy is, what changed between two versions.
import type {
  Pack,
  PackChange,
  PackChangeKind,
  PackComparison,
  PackShare,
} from "../../shared/contract/packs.ts";
import { counted, instantWords, utcDay, utcMinute, utcWindow } from "./format.ts";
import type { ChangeRow } from "../state/pack-changes.ts";
import type { PackView, SharingObstacle } from "../state/slices/packs-slice.ts";
import { layerShortNames } from "./state-text.ts";

export const packViewWords: Readonly<Record<PackView, string>> = {
  packs: "My packs",
  get: "Get",
  changes: "Changes",
  hosting: "Hosting",
};

/** What a pack is, in one breath, for whoever opens the panel for the first time. */
export const packSentence =
  "A pack is an event with all its revisions, frames and sources, in a Git repository that a colleague can get.";

export const sharingObstacleWords: Readonly<Record<SharingObstacle, string>> = {
  "git-missing": "Sharing needs Git; getting a pack does not.",
  "hosting-off":
    "Sharing needs hosting, which is off: it answers those whom you gave an address and a token.",
  "hosting-failed": "Sharing needs hosting, which could not be started.",
};

/** `revision 31 · pack has 28` */
export function packFacts({ latestSequence, exportedSequence, shared }: Pack): string {
  if (latestSequence === 0) return "no revision yet";
  const facts = [`revision ${latestSequence}`];
  if (exportedSequence !== null)
    facts.push(exportedSequence >= latestSequence ? "pack up to date" : `pack has ${exportedSequence}`);
  if (shared !== null && shared.pending > 0) facts.push(`${shared.pending} not shared yet`);
  return facts.join(" · ");
}

/** How the shared copy is. */
export function shareWords({ lastPushedAt, pending, problem }: PackShare): string {
  const last = lastPushedAt === null ? "" : ` Last written ${instantWords(lastPushedAt)}.`;
  if (problem !== null) return `${problem}${last}`;
  if (pending > 0)
    return `${counted(pending, "revision is", "revisions are")} not in the shared copy yet.${last}`;
  return `The shared copy has everything.${last}`;
}

/** How long an invitation may open a pack. */
export const inviteChoices = [
  { seconds: 3_600, words: "1 hour" },
  { seconds: 86_400, words: "1 day" },
  { seconds: 7 * 86_400, words: "1 week" },
  { seconds: 30 * 86_400, words: "30 days" },
] as const;

const changeNames: Readonly<Record<PackChangeKind, readonly [one: string, many: string]>> = {
  new: ["new window", "new windows"],
  correction: ["correction", "corrections"],
  completion: ["completion", "completions"],
  backfill: ["backfill", "backfills"],
  unknown: ["revision of an older window", "revisions of older windows"],
};

/** `28 new windows, 2 corrections, 1 completion` */
export function countsWords(counts: PackComparison["counts"]): string {
  return (Object.keys(changeNames) as PackChangeKind[])
    .filter((kind) => counts[kind] > 0)
    .map((kind) => counted(counts[kind], ...changeNames[kind]))
    .join(", ");
}

/** What one row of the list of changes says: its revisions, what they are, and of when. */
export interface ChangeWords {
  /** `12–19` or `20` */
  readonly revisions: string;
  readonly what: string;
  /** Observation times, UTC. */
  readonly when: string;
}

export function changeRowWords(row: ChangeRow): ChangeWords {
  if (row.kind === "single") return singleWords(row.change);
  const { firstSequence, lastSequence, count } = row;
  return {
    revisions: firstSequence === lastSequence ? String(lastSequence) : `${firstSequence}–${lastSequence}`,
    what: counted(count, ...changeNames.new),
    when: utcWindow(Date.parse(row.firstObservedAt), Date.parse(row.lastObservedAt)),
  };
}

function singleWords({ sequence, observedAt, kind, late, supersedes, products }: PackChange): ChangeWords {
  const of = supersedes === null ? "" : ` of ${supersedes}`;
  const layers = products.map((id) => layerShortNames[id]).join(", ");
  const words: Readonly<Record<PackChangeKind, string>> = {
    new: "new window",
    correction: `${late ? "late correction" : "correction"}${of}${layers && `: ${layers}`}`,
    completion: `completion${of}${layers && `: ${layers} arrived`}`,
    backfill: "backfill: a window published late",
    unknown: "an older window; what it had before is not kept here",
  };
  const observedMs = Date.parse(observedAt);
  return {
    revisions: String(sequence),
    what: words[kind],
    when: `${utcDay(observedMs)} ${utcMinute(observedMs)}`,
  };
}
