// The first window in which a place reached a size, and how later publications moved it. Decided by sequence. Pure.
import { findLayerOf } from "../../../shared/analysis/window-layers.ts";
import type { ProductId } from "../../../shared/contract/index.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { Revision } from "../timeline/revisions.ts";
import { toCell, type StoryReadings } from "./place-story.ts";

/** A publication that changed which window is the first. */
export interface FirstMove {
  readonly revision: Revision;
  /** The layer's time of observation in the window that became the first; undefined if none is left. */
  readonly observedAt: string | undefined;
}

export interface FirstReached {
  /** Each change in order of publication; empty if the size was never reached. */
  readonly moves: readonly FirstMove[];
  /** Windows up to the first one, or all of them without one, whose frame could not be read. */
  readonly failedWindows: number;
}

export interface Threshold {
  readonly id: ProductId;
  /** In the layer's unit. */
  readonly from: number;
}

/** Room for the last digit of an edge that was computed from inches. */
const edgeRoom = 1e-6;

/** `revisions` are those known, in ascending sequence; every frame of them must have been read. */
export function findFirstReached(
  revisions: readonly Revision[],
  { id, from }: Threshold,
  wanted: StoryReadings,
): FirstReached {
  const moves: FirstMove[] = [];
  /** Time of observation of each window that reaches the size, as of the revision looked at. */
  const reached = new Map<number, string>();
  const failed = new Set<number>();
  let first: number | undefined;
  for (const revision of revisions) {
    const window = observationWindow(revision.observedAt);
    const layer = findLayerOf(revision, id, window);
    const cell = layer && toCell(layer, wanted);
    if (layer && cell?.kind === "class" && cell.range.lower >= from - edgeRoom) {
      reached.set(window, layer.observedAt);
    } else reached.delete(window);
    if (cell?.kind === "failed") failed.add(window);
    else failed.delete(window);
    const now = reached.size === 0 ? undefined : Math.min(...reached.keys());
    if (now === first) continue;
    first = now;
    moves.push({ revision, observedAt: now === undefined ? undefined : reached.get(now) });
  }
  const last = first ?? Infinity;
  return { moves, failedWindows: [...failed].filter((window) => window <= last).length };
}
