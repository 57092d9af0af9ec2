// Saves one loop at a time for the viewer, and keeps its progress in the store. The dialog may close meanwhile.
import { AppError } from "../../../shared/app-error.ts";
import { saveFile } from "../../platform/save-file.ts";
import type { LoopFormat } from "../../state/slices/loops-slice.ts";
import type { ViewerStore } from "../../state/store.ts";
import type { SheetDrawer, SheetSize } from "../sheet-drawer.ts";
import { formatFacts } from "./loop-formats.ts";
import type { LoopPlan } from "./loop-plan.ts";
import { writeLoop } from "./save-loop.ts";

/** Least time between two reports of progress: each repaints the page, which takes from the drawing of frames. */
const reportMs = 250;

const underWay = new WeakMap<ViewerStore, AbortController>();

export interface LoopRequest {
  readonly plan: LoopPlan;
  readonly format: LoopFormat;
  readonly size: SheetSize;
  readonly openDrawer: () => SheetDrawer;
}

/** Saves the loop, unless another one is being saved. */
export async function saveLoop(store: ViewerStore, request: LoopRequest): Promise<void> {
  if (underWay.has(store)) return;
  const controller = new AbortController();
  underWay.set(store, controller);
  store.getState().setLoopOutcome(undefined);
  try {
    await run(store, request, controller.signal);
  } catch (error) {
    if (!controller.signal.aborted)
      store.getState().setLoopOutcome({ kind: "failed", problem: toProblem(error) });
  } finally {
    underWay.delete(store);
    store.getState().setLoopSaving(undefined);
  }
}

/** Stops the saving; no file is left. */
export function cancelLoop(store: ViewerStore): void {
  underWay.get(store)?.abort();
}

async function run(store: ViewerStore, request: LoopRequest, signal: AbortSignal): Promise<void> {
  const { plan, format, size, openDrawer } = request;
  const { setLoopSaving, setLoopOutcome, setLoopBits } = store.getState();
  const fileName = `${toStem(plan)}.${format}`;
  const about = { fileName, eventId: plan.eventId, newest: plan.newest };
  const total = plan.frames.length;
  const guess = estimateBytes(store.getState().loopBits, { format, size, frames: total });
  setLoopSaving({ ...about, done: 0, total, leftMs: undefined, expectedBytes: guess });
  let firstDoneMs: number | undefined;
  let reportedMs = -Infinity;
  const file = await writeLoop({
    plan,
    format,
    openDrawer,
    signal,
    onProgress: (done, byteLength) => {
      const nowMs = performance.now();
      // The first frame waits for the map to load, and says nothing of the others.
      firstDoneMs ??= nowMs;
      if (nowMs - reportedMs < reportMs && done < total) return;
      reportedMs = nowMs;
      const leftMs = done > 1 ? ((nowMs - firstDoneMs) / (done - 1)) * (total - done) : undefined;
      const expectedBytes = toExpected(guess, byteLength, done / total);
      setLoopSaving({ ...about, done, total, leftMs, expectedBytes });
    },
  });
  saveFile(fileName, file);
  setLoopBits(format, (file.size * 8) / (size.widthPx * size.heightPx * total));
  setLoopOutcome({ kind: "saved", ...about, byteLength: file.size });
}

/** Returns the bytes that the file may have: as many a pixel as the last one of the format. */
export function estimateBytes(
  bits: Readonly<Partial<Record<LoopFormat, number>>>,
  {
    format,
    size,
    frames,
  }: { readonly format: LoopFormat; readonly size: SheetSize; readonly frames: number },
): number {
  return ((bits[format] ?? formatFacts[format].bitsPerPixel) * size.widthPx * size.heightPx * frames) / 8;
}

/** Trusts what was written the more of it there is: an encoder holds frames back. */
function toExpected(guess: number, byteLength: number, share: number): number {
  return byteLength === 0 ? guess : (1 - share) * guess + share * (byteLength / share);
}

function toStem({ eventId, frames }: LoopPlan): string {
  const sequences = frames.flatMap((frame) => ("revision" in frame ? [frame.revision.sequence] : []));
  return `echotop-${eventId}-rev${Math.min(...sequences)}-${Math.max(...sequences)}`;
}

function toProblem(error: unknown): string {
  return error instanceof AppError ? error.detail : "The loop could not be saved. Try again.";
}
