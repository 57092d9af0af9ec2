// The effect of each revision on its event, as publication knows it or as the order of publication shows it.
import type { MrmsHistoryFrame } from "../contract/history.ts";
import { windowOf } from "./observation-window.ts";

export const publicationKinds = [
  /** First revision of a window newer than all before it. */
  "new",
  /** Replaces a layer of an already published window. */
  "correction",
  /** Adds the other product to an already published window. */
  "completion",
  /** First revision of a window older than the newest. */
  "backfill",
  /** An old window whose earlier revisions, if any, are before the known history. */
  "unknown",
] as const;
export type PublicationKind = (typeof publicationKinds)[number];

/** Effects of a revision when it is published; `first` here is `new` in a `Publication`. */
export const revisionChanges = ["first", "correction", "completion", "backfill"] as const;
export type RevisionChange = (typeof revisionChanges)[number];

export interface Publication {
  readonly kind: PublicationKind;
  /** True if a newer window was published before. */
  readonly late: boolean;
  /** Index in the same array of the revision of this window that it replaces or completes. */
  readonly supersedes: number | undefined;
}

interface FrameFacts extends Pick<MrmsHistoryFrame, "observedAt" | "sequence" | "layers"> {
  /** Effect of its publication, if the service says it. */
  readonly change?: RevisionChange | undefined;
  readonly window?: number | undefined;
}

/**
 * Returns one publication for each frame, in the same order; the frames are in ascending sequence. What the service
 * says of a frame comes before what the order of the frames shows.
 */
export function toPublications(frames: readonly FrameFacts[]): Publication[] {
  const lastOfWindow = new Map<number, number>();
  const startsAtFirst = (frames[0]?.sequence ?? 1) === 1;
  let newestWindow = -Infinity;
  let oldestWindow = Infinity;
  return frames.map((frame, index) => {
    const window = windowOf(frame);
    const supersedes = lastOfWindow.get(window);
    const late = window < newestWindow || frame.change === "backfill";
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
  if (frame.change) return frame.change === "first" ? "new" : frame.change;
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
 * Returns the index of the frame that an untouched viewer shows: the highest sequence of the newest observation window,
 * whatever is published for older ones. Undefined without frames.
 */
export function findPinnedFrame(frames: readonly FrameFacts[]): number | undefined {
  let pinned: number | undefined;
  let newestWindow = -Infinity;
  frames.forEach((frame, index) => {
    const window = windowOf(frame);
    if (window >= newestWindow) {
      newestWindow = window;
      pinned = index;
    }
  });
  return pinned;
}
