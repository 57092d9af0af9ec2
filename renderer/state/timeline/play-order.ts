// The order in which playback and steps go through the revisions: by observed time, or as they were published.
import { byWindow, newestOfWindows } from "../../../shared/revisions/known-at.ts";
import { nearestIndex, perList, type Revision } from "./revisions.ts";

/** `observed`: each window once, at its newest revision, by observed time. `published`: every revision, by sequence. */
export const playOrders = ["observed", "published"] as const;
export type PlayOrder = (typeof playOrders)[number];

const newestOf = perList(newestOfWindows<Revision>);
const byObservedTime = perList(byWindow<Revision>);

/** Returns the revisions that are played, in playing order. */
export function inPlayOrder(revisions: readonly Revision[], order: PlayOrder): readonly Revision[] {
  return order === "published" ? revisions : byObservedTime(revisions);
}

/** Returns the newest revision in the list of the same window as this one, which may be from another list. */
export function findNewestOfWindow(revisions: readonly Revision[], revision: Revision): Revision | undefined {
  return newestOf(revisions).get(revision.window);
}

/** Returns the newest revision of the same window: the revision itself unless it has been replaced. */
export function newestOfWindow(revisions: readonly Revision[], revision: Revision): Revision {
  return findNewestOfWindow(revisions, revision) ?? revision;
}

/**
 * Returns the sequence that stands for this one, or for the nearest, in the playing order: a replaced revision has the
 * place of its window's newest. Undefined without revisions.
 */
export function toPlace(
  revisions: readonly Revision[],
  order: PlayOrder,
  sequence: number,
): number | undefined {
  const index = nearestIndex(revisions, sequence);
  if (index === undefined) return undefined;
  const revision = revisions[index]!;
  return (order === "published" ? revision : newestOfWindow(revisions, revision)).sequence;
}
