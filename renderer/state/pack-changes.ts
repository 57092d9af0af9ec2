// What changed between two versions, as a short list: a run of new windows is one row, everything late has a row of its own.
import type { PackChange } from "../../shared/contract/packs.ts";

export type ChangeRow =
  | {
      readonly kind: "new";
      readonly firstSequence: number;
      readonly lastSequence: number;
      readonly count: number;
      /** Of the oldest and of the newest of the run. */
      readonly firstObservedAt: string;
      readonly lastObservedAt: string;
    }
  | { readonly kind: "single"; readonly change: PackChange };

/** Changes in rising sequence in, rows in the same order out. */
export function toChangeRows(changes: readonly PackChange[]): ChangeRow[] {
  const rows: ChangeRow[] = [];
  for (const change of changes) {
    if (change.kind !== "new") {
      rows.push({ kind: "single", change });
      continue;
    }
    const { sequence, observedAt } = change;
    const before = rows.at(-1);
    const run = before?.kind === "new" ? before : undefined;
    if (run) rows.pop();
    rows.push({
      kind: "new",
      firstSequence: run?.firstSequence ?? sequence,
      lastSequence: sequence,
      count: (run?.count ?? 0) + 1,
      firstObservedAt: run?.firstObservedAt ?? observedAt,
      lastObservedAt: observedAt,
    });
  }
  return rows;
}
