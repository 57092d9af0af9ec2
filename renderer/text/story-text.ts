// The story of a place in words: what a window says, and the sentences about the first window that reached a size.
import { publicationsOf, type Revision } from "../state/timeline/revisions.ts";
import type { PublishedAt } from "../state/slices/history-slice.ts";
import type { FirstMove, FirstReached, Threshold } from "../state/story/first-reached.ts";
import type { StoryCell } from "../state/story/place-story.ts";
import { getProduct } from "../../shared/products/registry.ts";
import type { ProductId } from "../../shared/contract/index.ts";
import { classRange, clockDay, clockMinute, counted, minuteWithZone, type HailUnits } from "./format.ts";

/** `1.75–1.78 in`; `below ⅛ in, or none`; `outside coverage`. */
export function cellWords(cell: StoryCell, id: ProductId, hailUnits: HailUnits): string {
  const { unit, stops } = getProduct(id);
  switch (cell.kind) {
    case "class":
      return classRange({ from: cell.range.lower, to: cell.range.upper, unit }, hailUnits)[0]!;
    case "below":
      return id === "mrms-mesh" ? belowHailWords(hailUnits) : `below ${stops[0]!.from} dBZ, or none`;
    case "outside-coverage":
      return "outside coverage";
    case "not-delivered":
      return "not delivered";
    case "failed":
      return "failed to load";
    case "reading":
      return "not read yet";
  }
}

/** Words for a window in which no hail is estimated. */
export function belowHailWords(hailUnits: HailUnits): string {
  return hailUnits === "in" ? "below ⅛ in, or none" : "below 3.2 mm, or none";
}

/** `1 in`; `25.4 mm`. */
export function sizeWords(fromMm: number, hailUnits: HailUnits): string {
  return hailUnits === "in" ? `${fromMm / 25.4} in` : `${fromMm.toFixed(1)} mm`;
}

export interface FirstSentence {
  /** `First 1 in or larger:` */
  readonly lead: string;
  readonly words: string;
  /** ` · a correction published 21:57 moved it to 21:28`; later publications that changed the answer. */
  readonly moves: string;
}

export interface SentenceFacts {
  readonly revisions: readonly Revision[];
  readonly publishedAt: Readonly<Record<string, PublishedAt>>;
  readonly hailUnits: HailUnits;
}

/** Later changes that a sentence tells, the last ones; more would not be read. */
const mostMovesTold = 2;

export function firstSentence(
  { from }: Threshold,
  { moves, failedWindows }: FirstReached,
  facts: SentenceFacts,
): FirstSentence {
  const lead = `First ${sizeWords(from, facts.hailUnits)} or larger:`;
  const [first, ...later] = moves;
  const unread =
    failedWindows === 0 ? "" : `, ${counted(failedWindows, "window", "windows")} before it failed to load`;
  const told = later.slice(-mostMovesTold);
  if (!first || (later.at(-1)?.observedAt === undefined && later.length > 0)) {
    const last = facts.revisions.reduce((most, { observedMs }) => Math.max(most, observedMs), -Infinity);
    const failed =
      failedWindows === 0 ? "" : `, ${counted(failedWindows, "window", "windows")} failed to load`;
    const words =
      facts.revisions.length === 0 ? "nothing published" : `not reached up to ${clockMinute(last)}`;
    return {
      lead,
      words: `${words}${failed}`,
      moves: told.map((move, at) => moveWords(move, later[at - 1] ?? first!, facts)).join(""),
    };
  }
  const observedMs = Date.parse(first.observedAt!);
  const words = `observed ${clockMinute(observedMs)}, published ${publishedWords(first.revision, observedMs, facts)}${unread}`;
  return { lead, words, moves: told.map((move) => moveWords(move, first, facts)).join("") };
}

/** `21:25 (3 min later)`; the date if that is days later. */
function publishedWords(revision: Revision, observedMs: number, facts: SentenceFacts): string {
  const publishedMs = publishedMsOf(revision, facts);
  if (publishedMs === undefined) return "at a time not known";
  const minutes = Math.round((publishedMs - observedMs) / 60_000);
  if (Math.abs(minutes) >= 24 * 60) return `${clockDay(publishedMs)}, ${minuteWithZone(publishedMs)}`;
  if (minutes < 1) return `${clockMinute(publishedMs)} (within a minute)`;
  const hours = Math.floor(minutes / 60);
  const delay = hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
  return `${clockMinute(publishedMs)} (${delay} later)`;
}

export function publishedMsOf(
  { revisionId }: Revision,
  { publishedAt }: Pick<SentenceFacts, "publishedAt">,
): number | undefined {
  const published = revisionId === undefined ? undefined : publishedAt[revisionId];
  return typeof published === "object" ? Date.parse(published.at) : undefined;
}

const publicationNames = {
  new: "a window",
  correction: "a correction",
  completion: "hail size added later,",
  backfill: "a late arrival",
  unknown: "an older window",
} as const;

function moveWords({ revision, observedAt }: FirstMove, first: FirstMove, facts: SentenceFacts): string {
  const { revisions } = facts;
  const kind = publicationsOf(revisions)[revisions.indexOf(revision)]?.kind ?? "unknown";
  const publishedMs = publishedMsOf(revision, facts);
  const at = publishedMs === undefined ? "" : ` published ${clockMinute(publishedMs)}`;
  if (observedAt !== undefined)
    return ` · ${publicationNames[kind]}${at} moved it to ${clockMinute(Date.parse(observedAt))}`;
  const taken = first.observedAt === undefined ? "it" : clockMinute(Date.parse(first.observedAt));
  return ` · ${publicationNames[kind]}${at} took back ${taken}`;
}
