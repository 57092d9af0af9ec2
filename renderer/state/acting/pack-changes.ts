// Shortens the changes between two versions: a run of new windows is one row, each late change has its own.
import type { PackChange } from "../../../shared/contract/packs.ts";

export type ChangeRow =
  | {
      readonly kind: "new";
      readonly firstSequence: number;
      readonly lastSequence: number;
      readonly count: number;
      /** Observation times of the oldest and of the newest window of the run. */
      readonly firstObservedAt: string;
      readonly lastObservedAt: string;
    }
  | { readonly kind: "single"; readonly change: PackChange };

/** Returns rows in the order of `changes`, which ascend by sequence. */
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
