// Reads what an export draws: the event, and its frames in the order of the request, with a frame for each observation
// window that is missing between two of them.
import { AppError } from "../../../shared/app-error.ts";
import type { ProductId } from "../../../shared/contract/primitives.ts";
import { toLoopFrames, type LoopGap } from "../../../shared/revisions/loop-frames.ts";
import { products } from "../../../shared/products/registry.ts";
import { windowMs, windowOf } from "../../../shared/revisions/observation-window.ts";
import {
  readPlan,
  type BriefingPlan,
  type PlannedLayer,
  type PlannedRevision,
} from "../briefings/read-plan.ts";
import type { ExportRequest, ExportSources } from "./export-request.ts";

export interface ExportedRevision extends PlannedRevision {
  /** Those of the request's layers that the revision lacks. */
  readonly lacking: readonly ProductId[];
}

export type ExportedFrame = { readonly revision: ExportedRevision } | { readonly gap: LoopGap };

export interface ExportPlan extends Omit<BriefingPlan, "revisions"> {
  /** In the order of the request. */
  readonly revisions: readonly ExportedRevision[];
  /** All layers shown in any frame, in drawing order, lowest first. */
  readonly layers: readonly PlannedLayer[];
}

/** A longer time without data is one frame: an hour. */
const mostFramesOfGap = 30;

/** @throws as `readPlan` does; AppError `invalid-input` if no revision has any of the layers */
export async function readExportPlan(
  request: Pick<ExportRequest, "eventId" | "sequences" | "newest" | "layers">,
  { catalog, signal }: Pick<ExportSources, "catalog" | "signal">,
): Promise<ExportPlan> {
  const plan = await readPlan(catalog, request, signal);
  const inOrder = request.sequences
    ? request.sequences.map((wanted) => plan.revisions.find(({ sequence }) => sequence === wanted)!)
    : plan.revisions;
  const all = inOrder.flatMap((revision) => revision.layers);
  const layers = products
    .map(({ id }) => all.find(({ layer }) => layer.id === id))
    .filter((planned) => planned !== undefined)
    .filter(({ layer }) => request.layers?.includes(layer.id) ?? true);
  if (layers.length === 0) {
    const named = request.layers!.join(" or ");
    throw new AppError("invalid-input", `No chosen revision of ${request.eventId} has ${named}.`);
  }
  const wanted = request.layers ?? layers.map(({ layer }) => layer.id);
  return { ...plan, revisions: inOrder.map((revision) => choose(revision, wanted)), layers };
}

function choose(revision: PlannedRevision, wanted: readonly ProductId[]): ExportedRevision {
  const layers = revision.layers.filter(({ layer }) => wanted.includes(layer.id));
  const lacking = wanted.filter((id) => !layers.some(({ layer }) => layer.id === id));
  return { ...revision, layers, lacking };
}

/** Returns the frames of a loop: its revisions, and the windows that are missing between them. */
export function toFrames({ revisions, history }: ExportPlan): readonly ExportedFrame[] {
  const cadence = findCadence(history);
  return toLoopFrames(revisions, history).flatMap((frame): ExportedFrame[] =>
    "gap" in frame ? splitGap(frame.gap, cadence).map((gap) => ({ gap })) : [frame],
  );
}

/** Returns the windows from one observation of the event to the next; one if there are too few to tell. */
function findCadence(history: ExportPlan["history"]): number {
  const windows = [...new Set(history.map(windowOf))].sort((first, second) => first - second);
  const steps = windows.slice(1).map((window, index) => window - windows[index]!);
  return steps.length < 2 ? 1 : Math.min(...steps);
}

function splitGap({ fromMs, toMs }: LoopGap, cadence: number): LoopGap[] {
  const windows = Math.round((toMs - fromMs) / windowMs);
  const count = Math.ceil((windows + 1) / cadence) - 1;
  if (count > mostFramesOfGap) return [{ fromMs, toMs }];
  return Array.from({ length: count }, (_, index) => {
    const startMs = fromMs + ((index + 1) * cadence - 1) * windowMs;
    return { fromMs: startMs, toMs: startMs + windowMs };
  });
}
