// What each revision did to the record, told from the order of publication alone: pure functions over history frames.
import type { MrmsHistoryFrame } from "../contract/history.ts";
import { observationWindow } from "./observation-window.ts";

/**
 * - `new`: the first revision of a window newer than all before it.
 * - `correction`: a layer of an already published window is replaced.
 * - `completion`: the other product of an already published window arrives.
 * - `backfill`: a window published for the first time, after newer ones.
 * - `unknown`: an old window whose earlier revisions, if any, lie before the part of the history at hand.
 */
export type PublicationKind = "new" | "correction" | "completion" | "backfill" | "unknown";

export interface Publication {
  readonly kind: PublicationKind;
  /** True when a newer window had been published before. */
  readonly late: boolean;
  /** Index, in the same array, of the revision of this window that it supersedes. */
  readonly supersedes: number | undefined;
}

type FrameFacts = Pick<MrmsHistoryFrame, "observedAt" | "sequence" | "layers">;

/** Frames in ascending publication sequence in, one publication per frame out, same order. */
export function toPublications(frames: readonly FrameFacts[]): Publication[] {
  const lastOfWindow = new Map<number, number>();
  const startsAtFirst = (frames[0]?.sequence ?? 1) === 1;
  let newestWindow = -Infinity;
  let oldestWindow = Infinity;
  return frames.map((frame, index) => {
    const window = observationWindow(frame.observedAt);
    const supersedes = lastOfWindow.get(window);
    const late = window < newestWindow;
    const kind = kindOf(frame, supersedes === undefined ? undefined : frames[supersedes], {
      late,
      certain: startsAtFirst || window > oldestWindow,
    });
    lastOfWindow.set(window, index);
    newestWindow = Math.max(newestWindow, window);
    oldestWindow = Math.min(oldestWindow, window);
    return { kind, late, supersedes };
  });
}

function kindOf(
  frame: FrameFacts,
  earlier: FrameFacts | undefined,
  { late, certain }: { late: boolean; certain: boolean },
): PublicationKind {
  if (!earlier) {
    if (!late) return "new";
    return certain ? "backfill" : "unknown";
  }
  const replaced = earlier.layers.some((before) => {
    const after = frame.layers.find((layer) => layer.id === before.id);
    return after?.imageUrl !== before.imageUrl || after.observedAt !== before.observedAt;
  });
  if (replaced) return "correction";
  return frame.layers.length > earlier.layers.length ? "completion" : "correction";
}

/**
 * Index of the frame that an untouched viewer shows: the newest observation window at its highest sequence. A late
 * correction or backfill of an older window does not move it. Undefined when there are no frames.
 */
export function findPinnedFrame(frames: readonly FrameFacts[]): number | undefined {
  let pinned: number | undefined;
  let newestWindow = -Infinity;
  frames.forEach((frame, index) => {
    const window = observationWindow(frame.observedAt);
    if (window >= newestWindow) {
      newestWindow = window;
      pinned = index;
    }
  });
  return pinned;
}
