// The swath of a layer: its line, and its picture in the form of a frame.
import type { CellFrame } from "../../../shared/analysis/cell-frame.ts";
import type { FrameGround } from "../../../shared/analysis/same-ground.ts";
import { SwathBuilder, toSwathClasses, type Swath } from "../../../shared/analysis/swath.ts";
import {
  toLayerWindows,
  toSwathWindows,
  type MissingWindow,
  type ObservedSpan,
} from "../../../shared/analysis/window-layers.ts";
import type { Bounds, ProductId } from "../../../shared/contract/primitives.ts";
import { blockBounds } from "../../../shared/geo/grid.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import type { UnreadableCause } from "./decode-cells.ts";
import type { HistoryLayer, HistoryRevision } from "./event-history.ts";
import { runCrew, type CrewOptions } from "./frame-crew.ts";
import { loadCells, loadDeflated, type FrameJobs } from "./frame-jobs.ts";

export interface SwathLine {
  readonly layer: ProductId;
  readonly windows: { readonly used: number; readonly missing: readonly MissingWindow[] };
  /** Outer edges of the picture; null if no frame was usable. */
  readonly bounds: Bounds | null;
  readonly histogram: readonly (readonly [lower: number, cells: number])[];
}

export interface SwathReport {
  readonly line: SwathLine;
  /** Undefined if no frame was usable. */
  readonly swath: Swath | undefined;
  /** The revisions whose frames are used, by ascending time of observation of those. */
  readonly used: readonly UsedRevision[];
}

export interface UsedRevision {
  readonly revisionId: string;
  /** Time of observation of the frame. */
  readonly observedAt: string;
}

export interface SwathRequest {
  readonly revisions: readonly HistoryRevision[];
  readonly layer: ProductId;
  readonly span: ObservedSpan;
}

export interface SwathOptions extends Omit<CrewOptions<"swath">, "onResult"> {
  readonly frames: FrameStore;
  readonly onProgress: (done: number, total: number) => void;
}

type Use = FrameJobs["swath"]["result"];

/** @throws AppError `invalid-input` for a span of too many windows; as `runCrew` does */
export async function makeSwath(
  { revisions, layer, span }: SwathRequest,
  options: SwathOptions,
): Promise<SwathReport> {
  const windows = toSwathWindows(toLayerWindows(revisions, layer, span));
  const layers = windows.flatMap((window) => ("layer" in window ? window.layer : []));
  const { swath, uses } = await collect(layers, options);
  const pending = uses.values();
  const used: UsedRevision[] = [];
  const missing = windows.flatMap((window): MissingWindow[] => {
    if ("missing" in window) return [window.missing];
    const { observedAt } = window.layer;
    const use = pending.next().value!;
    if (use !== "used") return [{ observedAt, why: use }];
    used.push({ observedAt, revisionId: window.since.revisionId });
    return [];
  });
  const bounds = swath && findBounds(swath, layers[uses.indexOf("used")]!);
  const histogram = swath ? toSwathClasses(swath).map(({ lower, cells }) => [lower, cells] as const) : [];
  return {
    line: { layer, windows: { used: used.length, missing }, bounds: bounds ?? null, histogram },
    swath,
    used,
  };
}

/** Without a drawn cell, the picture is the whole grid, as the first frame has it. */
function findBounds({ cells, block }: Swath, first: HistoryLayer): Bounds {
  return cells ? blockBounds(cells, block) : first.bounds;
}

interface Collected {
  readonly swath: Swath | undefined;
  readonly uses: readonly Use[];
}

/**
 * A crew reads the frames from the earliest that draws, because they must be on its ground. Its workers start while
 * that ground is found.
 * @param early the frames before, where they are known
 */
async function collect(
  layers: readonly HistoryLayer[],
  options: SwathOptions,
  early: (CellFrame | UnreadableCause)[] = [],
): Promise<Collected> {
  const { frames, onProgress, ...crew } = options;
  const uses: Use[] = [];
  const onResult = (use: Use): void => {
    uses.push(use);
    onProgress(early.length + uses.length, layers.length);
  };
  const job = findGround(frames, layers, early).then(
    (setup) => ({ kind: "swath", setup, items: layers.slice(early.length) }) as const,
  );
  const parts = await runCrew(layers.length, job, { ...crew, onResult });
  if (uses[0] === "failed") return collect(layers, options, [...early, "damaged"]);
  const builder = new SwathBuilder((await job).setup);
  for (const frame of early) if (typeof frame !== "string") builder.add(frame);
  for (const part of parts) if (part) builder.merge(part);
  const isUsed = builder.isUsed.values();
  const earlyUses = early.map((frame): Use => {
    if (typeof frame === "string") return "failed";
    return isUsed.next().value! ? "used" : "another-grid";
  });
  return { swath: builder.toSwath(), uses: [...earlyUses, ...uses] };
}

/** Returns the ground of the earliest frame that draws, and adds the frames before it to `early`. */
async function findGround(
  frames: FrameStore,
  layers: readonly HistoryLayer[],
  early: (CellFrame | UnreadableCause)[],
): Promise<FrameGround | undefined> {
  while (early.length < layers.length) {
    const layer = layers[early.length]!;
    const deflated = await loadDeflated(frames, layer);
    if (deflated) return toGround(deflated);
    const frame = await loadCells(frames, layer);
    if (typeof frame !== "string" && frame.cells) return toGround(frame);
    early.push(frame);
  }
  return undefined;
}

function toGround({ classes, coverage, cells }: FrameGround): FrameGround {
  return { classes, coverage, cells };
}
