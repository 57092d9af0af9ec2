// Groups files into revisions and orders them: a pure function of the candidates.
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import { compareCandidates, type Candidate } from "./candidate.ts";

/** The files of one revision: one observation window, at most one file of each product. */
export type Group = readonly Candidate[];

/**
 * Returns the groups in order of observation. A window with several files of a product makes several groups, each
 * with the next file of every product.
 */
export function toGroups(candidates: readonly Candidate[]): Group[] {
  const windows = Map.groupBy(candidates.toSorted(compareCandidates), ({ observedAt }) =>
    observationWindow(observedAt),
  );
  return [...windows.values()].flatMap((files) => {
    const byProduct = [...Map.groupBy(files, ({ productId }) => productId).values()];
    const rounds = Math.max(...byProduct.map(({ length }) => length));
    return Array.from({ length: rounds }, (_, round) =>
      byProduct.flatMap((ofProduct) => ofProduct[round] ?? []),
    );
  });
}
