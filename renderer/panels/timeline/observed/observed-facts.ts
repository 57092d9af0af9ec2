// The columns of the observed order: each one's newest known revision, and those that it replaced. Pure.
import type { Column, ObservedGeometry } from "../geometry/observed-layout.ts";
import { toThin } from "../parts/blocks.tsx";
import { isThin, type TimelineHistory } from "../timeline-history.ts";

export interface KnownColumn extends Column {
  /** Index of the newest known revision; undefined if nothing of the window is known. */
  readonly newest: number | undefined;
  /** Indices of the known revisions before it, newest first. */
  readonly superseded: readonly number[];
}

export interface ObservedDrawingProps {
  readonly geometry: ObservedGeometry;
  readonly columns: readonly KnownColumn[];
  readonly history: TimelineHistory;
  readonly widthPx: number;
  readonly pointedWindow: number | undefined;
  /** Sequence of a correction that has just arrived. */
  readonly arrived: number | undefined;
}

export function toKnownColumns(columns: readonly Column[], known: number): KnownColumn[] {
  return columns.map((column) => {
    const own = column.indices.filter((index) => index < known);
    return { ...column, newest: own.at(-1), superseded: own.slice(0, -1).reverse() };
  });
}

/** Class name of a column's block: corrected if any of its revisions is a correction. */
export function columnKind({ indices, newest }: KnownColumn, history: TimelineHistory): string {
  const { publications } = history;
  if (newest === undefined) return "tl-hidden";
  const known = indices.filter((index) => index <= newest);
  const own = known.map((index) => publications[index]!.kind);
  const marked = (["correction", "completion", "backfill", "unknown"] as const).find((kind) =>
    own.includes(kind),
  );
  const kind = `tl-${marked ?? "new"}`;
  return isThin(history, known) ? toThin(kind) : kind;
}
