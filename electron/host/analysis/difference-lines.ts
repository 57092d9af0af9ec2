// The lines of `echotop diff`: what changed in each layer from one revision to another.
import type { CellChanges, Difference } from "../../../shared/analysis/difference.ts";
import { findLayerIds } from "../../../shared/analysis/window-layers.ts";
import type { ProductId } from "../../../shared/contract/primitives.ts";
import { toClassPair, type ClassPair } from "./class-pair.ts";
import type { HistoryLayer, HistoryRevision } from "./event-history.ts";
import { runCrew, type CrewOptions } from "./frame-crew.ts";
import type { FrameJobs } from "./frame-jobs.ts";

interface DifferenceSide {
  readonly sequence: number;
  readonly frameId: string | null;
}

interface Rise {
  readonly classes: number;
  readonly from: ClassPair | null;
  readonly to: ClassPair;
  readonly lon: number;
  readonly lat: number;
}

export type DifferenceLine = {
  readonly layer: ProductId;
  readonly from: DifferenceSide;
  readonly to: DifferenceSide;
} & (
  | { readonly cells: CellChanges; readonly biggestRise: Rise | null }
  | { readonly cells: null; readonly why: string }
);

export interface DifferenceRequest {
  readonly from: HistoryRevision;
  readonly to: HistoryRevision;
  /** Undefined stands for every layer of either. */
  readonly layer: ProductId | undefined;
}

/** Returns a line for each layer, in manifest order. @throws as `runCrew` does */
export async function toDifferenceLines(
  { from, to, layer }: DifferenceRequest,
  crew: Omit<CrewOptions<"difference">, "onResult">,
): Promise<DifferenceLine[]> {
  const ids = layer === undefined ? findLayerIds([from, to]) : [layer];
  const pairs = ids.map((id) => ({ id, before: findLayer(from, id), after: findLayer(to, id) }));
  const items = pairs.flatMap(({ before, after }): FrameJobs["difference"]["item"][] =>
    before && after
      ? [
          [
            { ...before, sequence: from.sequence },
            { ...after, sequence: to.sequence },
          ],
        ]
      : [],
  );
  const results: FrameJobs["difference"]["result"][] = [];
  const onResult = (result: FrameJobs["difference"]["result"]): void => void results.push(result);
  await runCrew(items.length, { kind: "difference", setup: undefined, items }, { ...crew, onResult });
  return pairs.map(({ id, before, after }) => ({
    layer: id,
    from: { sequence: from.sequence, frameId: before?.frameId ?? null },
    to: { sequence: to.sequence, frameId: after?.frameId ?? null },
    ...toOutcome(before && after ? results.shift()! : { why: whyLacking(from, before, to, after) }),
  }));
}

function findLayer({ layers }: HistoryRevision, id: ProductId): HistoryLayer | undefined {
  return layers.find((layer) => layer.id === id);
}

function whyLacking(
  from: HistoryRevision,
  before: HistoryLayer | undefined,
  to: HistoryRevision,
  after: HistoryLayer | undefined,
): string {
  if (!before && !after) return "Neither revision has this layer.";
  return `Revision ${before ? to.sequence : from.sequence} does not have this layer.`;
}

function toOutcome(
  result: Difference | { readonly why: string },
): { cells: CellChanges; biggestRise: Rise | null } | { cells: null; why: string } {
  if ("why" in result) return { cells: null, why: result.why };
  const { up, down, appeared, vanished } = result.cells;
  return { cells: { up, down, appeared, vanished }, biggestRise: toRise(result.biggestRise) };
}

function toRise(rise: Difference["biggestRise"]): Rise | null {
  if (!rise) return null;
  const { classes, from, to, coordinate } = rise;
  const [lon, lat] = coordinate;
  return { classes, from: from ? toClassPair(from) : null, to: toClassPair(to), lon, lat };
}
