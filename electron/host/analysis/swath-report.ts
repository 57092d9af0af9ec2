// The swath of a layer: its line, and its picture in the form of a frame.
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
import type { HistoryLayer, HistoryRevision } from "./event-history.ts";
import { runCrew, type CrewOptions } from "./frame-crew.ts";
import { loadCells, type FrameJobs } from "./frame-jobs.ts";

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
  const missing = windows.flatMap((window): MissingWindow[] => {
    if ("missing" in window) return [window.missing];
    const use = pending.next().value!;
    return use === "used" ? [] : [{ observedAt: window.layer.observedAt, why: use }];
  });
  const bounds = swath && findBounds(swath, layers[uses.indexOf("used")]!);
  const used = uses.filter((use) => use === "used").length;
  const histogram = swath ? toSwathClasses(swath).map(({ lower, cells }) => [lower, cells] as const) : [];
  return {
    line: { layer, windows: { used, missing }, bounds: bounds ?? null, histogram },
    swath,
  };
}

/** Without a drawn cell, the picture is the whole grid, as the first frame has it. */
function findBounds({ cells, block }: Swath, first: HistoryLayer): Bounds {
  return cells ? blockBounds(cells, block) : first.bounds;
}

/**
 * Reads the frames up to the earliest that draws here, because the others must be on its ground. A crew reads the
 * others.
 */
async function collect(
  layers: readonly HistoryLayer[],
  { frames, onProgress, ...crew }: SwathOptions,
): Promise<{ readonly swath: Swath | undefined; readonly uses: readonly Use[] }> {
  const builder = new SwathBuilder();
  const readable: boolean[] = [];
  while (readable.length < layers.length && builder.toSwath()?.cells === undefined) {
    crew.signal.throwIfAborted();
    const cells = await loadCells(frames, layers[readable.length]!);
    readable.push(typeof cells !== "string");
    if (typeof cells !== "string") builder.add(cells);
    onProgress(readable.length, layers.length);
  }
  const early = builder.isUsed.values();
  const uses = readable.map((isReadable): Use => {
    if (!isReadable) return "failed";
    return early.next().value! ? "used" : "another-grid";
  });
  const reference = builder.toSwath();
  if (!reference) return { swath: undefined, uses };
  const { classes, coverage, cells } = reference;
  const onResult = (use: Use): void => {
    uses.push(use);
    onProgress(uses.length, layers.length);
  };
  const job = {
    kind: "swath",
    setup: { classes, coverage, cells },
    items: layers.slice(uses.length),
  } as const;
  for (const part of await runCrew(job, { ...crew, onResult })) if (part) builder.merge(part);
  return { swath: builder.toSwath(), uses };
}
