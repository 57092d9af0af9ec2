// The onset of a storm: its first window with severe hail or a strong echo, found by reading frames in observed order
// until one reaches the limit. The highest class of each frame is read once.
import type { ProductId } from "../../../shared/contract/index.ts";
import { findHighestEdge } from "../../frames/highest-class.ts";
import type { FrameSource } from "../../frames/shared-frames.ts";
import { dropOldest } from "../../platform/drop-oldest.ts";
import { mostHighestKept } from "../../platform/viewer-limits.ts";
import { inPlayOrder } from "../timeline/play-order.ts";
import type { Revision } from "../timeline/revisions.ts";

/** Lower edge of the first class that marks an onset, in the product's unit: 1 in of hail, 40 dBZ. */
const onsetEdges: Readonly<Record<ProductId, number>> = { "mrms-mesh": 25.4, "mrms-reflectivity": 40 };

/** The product that marks the onset, or either. */
export const onsetRules = ["either", "mrms-mesh", "mrms-reflectivity"] as const;
export type OnsetRule = (typeof onsetRules)[number];

export type Onset =
  | { readonly kind: "searching"; readonly read: number; readonly windows: number }
  | {
      readonly kind: "found";
      readonly window: number;
      readonly observedMs: number;
      readonly by: ProductId;
      /** Windows before it that could not be read: it may have been earlier. */
      readonly unread: number;
    }
  | { readonly kind: "none"; readonly unread: number };

export interface OnsetFinder {
  /** Reports the progress and then the result, at once if it is known; resolves after the last report. */
  find(
    revisions: readonly Revision[],
    rule: OnsetRule,
    report: (onset: Onset) => void,
    signal: AbortSignal,
  ): Promise<void>;
}

export function createOnsetFinder(frames: Pick<FrameSource, "load">): OnsetFinder {
  /** The highest edge of each frame; null if nothing is drawn, or if classes are unknown. */
  const highest = new Map<string, number | null>();
  const results = new WeakMap<readonly Revision[], Map<OnsetRule, Onset>>();

  /** Returns undefined if the frame cannot be read. */
  async function readHighest(imageUrl: string, signal: AbortSignal): Promise<number | null | undefined> {
    const known = highest.get(imageUrl);
    if (known !== undefined) return known;
    try {
      const edge = findHighestEdge(await frames.load(imageUrl, signal)) ?? null;
      highest.set(imageUrl, edge);
      dropOldest(highest, mostHighestKept);
      return edge;
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }

  return {
    async find(revisions, rule, report, signal) {
      const known = results.get(revisions)?.get(rule);
      if (known) {
        report(known);
        return;
      }
      const result = await search(revisions, rule, report, signal, readHighest);
      if (!result) return;
      const own = results.get(revisions) ?? new Map<OnsetRule, Onset>();
      results.set(revisions, own.set(rule, result));
      report(result);
    },
  };
}

/** Returns undefined if aborted. */
async function search(
  revisions: readonly Revision[],
  rule: OnsetRule,
  report: (onset: Onset) => void,
  signal: AbortSignal,
  readHighest: (imageUrl: string, signal: AbortSignal) => Promise<number | null | undefined>,
): Promise<Onset | undefined> {
  const windows = inPlayOrder(revisions, "observed");
  let unread = 0;
  for (const [read, revision] of windows.entries()) {
    report({ kind: "searching", read, windows: windows.length });
    let isUnread = false;
    for (const { id, imageUrl } of revision.layers) {
      if (rule !== "either" && rule !== id) continue;
      const edge = await readHighest(imageUrl, signal).catch(() => undefined);
      if (signal.aborted) return undefined;
      if (edge === undefined) isUnread = true;
      else if (edge !== null && edge >= onsetEdges[id])
        return {
          kind: "found",
          window: revision.window,
          observedMs: revision.observedMs,
          by: id,
          unread,
        };
    }
    if (isUnread) unread += 1;
  }
  return { kind: "none", unread };
}
