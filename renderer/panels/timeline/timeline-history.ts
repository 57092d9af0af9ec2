// The revisions that the timeline draws in either order: all that are held, and how many of them are known.
import { useMemo, useState } from "react";
import type { Publication } from "../../../shared/revisions/publication.ts";
import { createPublicationTimesSelector } from "../../state/timeline/publication-times.ts";
import { publicationsOf, type Revision } from "../../state/timeline/revisions.ts";
import { useViewerState } from "../../viewer-context.ts";

export interface TimelineHistory {
  readonly all: readonly Revision[];
  /** Effect of each revision when it was published: later ones do not change it. */
  readonly publications: readonly Publication[];
  /** Number of revisions that are known: the first ones of `all`. */
  readonly known: number;
  /** Publication times in milliseconds, as far as they are known. */
  readonly publishedMs: readonly (number | undefined)[];
  /** Sequences that the person filters for; undefined marks every revision. */
  readonly kept: ReadonlySet<number> | undefined;
}

export function useTimelineHistory(): TimelineHistory {
  const all = useViewerState((state) => state.history.all);
  const known = useViewerState((state) => state.history.revisions.length);
  const [selectTimes] = useState(createPublicationTimesSelector);
  const publishedMs = useViewerState(selectTimes);
  const kept = useViewerState((state) => (state.onlyViewChanges ? state.viewChanges : undefined));
  return useMemo(
    () => ({ all, publications: publicationsOf(all), known, publishedMs, kept }),
    [all, known, publishedMs, kept],
  );
}

/** Returns true for a block that the filter makes a thin tick in its place. */
export function isThin({ all, kept }: TimelineHistory, indices: readonly number[]): boolean {
  return kept !== undefined && !indices.some((index) => kept.has(all[index]!.sequence));
}

/** Returns the indices of the known revisions that a later known one has replaced or completed. */
export function replacedIn({ publications, known }: TimelineHistory): ReadonlySet<number> {
  const replaced = new Set<number>();
  for (let index = 0; index < known; index += 1) {
    const { supersedes } = publications[index]!;
    if (supersedes !== undefined) replaced.add(supersedes);
  }
  return replaced;
}
