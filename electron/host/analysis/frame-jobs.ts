// The jobs of a frame worker, and the messages between it and its crew. Both ends are built together, so
// messages are not parsed.
import { isAppError } from "../../../shared/app-error.ts";
import type { CellFrame } from "../../../shared/analysis/cell-frame.ts";
import { measureDifference, type Difference } from "../../../shared/analysis/difference.ts";
import { readPlace, type PlaceReading } from "../../../shared/analysis/place-reading.ts";
import { whyIncomparable, type FrameGround } from "../../../shared/analysis/same-ground.ts";
import { SwathBuilder, type Swath } from "../../../shared/analysis/swath.ts";
import type { Coordinate } from "../../../shared/contract/primitives.ts";
import { readAround, type AroundReading, type ReportPlace } from "../../../shared/reports/around-reading.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import { decodeCells, readDeflated, type DeflatedFrame, type UnreadableCause } from "./decode-cells.ts";
import type { FrameRef } from "./event-history.ts";

export interface NumberedFrame extends FrameRef {
  readonly sequence: number;
}

/** For each kind of job: what all frames share, one item, its result, and what is left at the end. */
export interface FrameJobs {
  readonly place: {
    readonly setup: Coordinate;
    readonly item: FrameRef;
    readonly result: PlaceReading | { readonly kind: "failed" };
    readonly rest: undefined;
  };
  readonly around: {
    readonly setup: undefined;
    readonly item: FrameRef & { readonly places: readonly ReportPlace[] };
    /** One reading for each place; undefined for a frame that cannot be read. */
    readonly result: readonly AroundReading[] | undefined;
    readonly rest: undefined;
  };
  readonly swath: {
    /** Undefined without items. */
    readonly setup: FrameGround | undefined;
    readonly item: FrameRef;
    readonly result: "used" | "failed" | "another-grid";
    readonly rest: Swath | undefined;
  };
  readonly difference: {
    readonly setup: undefined;
    readonly item: readonly [before: NumberedFrame, after: NumberedFrame];
    readonly result: Difference | { readonly why: string };
    readonly rest: undefined;
  };
}
export type JobKind = keyof FrameJobs;

export interface FrameJob<Kind extends JobKind> {
  readonly kind: Kind;
  readonly setup: FrameJobs[Kind]["setup"];
  readonly items: readonly FrameJobs[Kind]["item"][];
}

/** A worker sends each result, then the rest, and ends. */
export type CrewMessage<Kind extends JobKind> =
  | { readonly index: number; readonly result: FrameJobs[Kind]["result"] }
  | { readonly rest: FrameJobs[Kind]["rest"] };

export interface FrameWork<Kind extends JobKind> {
  readonly run: (item: FrameJobs[Kind]["item"]) => Promise<FrameJobs[Kind]["result"]>;
  readonly finish: () => FrameJobs[Kind]["rest"];
}

type Works = {
  readonly [Kind in JobKind]: (frames: FrameStore, setup: FrameJobs[Kind]["setup"]) => FrameWork<Kind>;
};

export const frameWorks: Works = {
  place: (frames, place) => ({
    run: async (item) => {
      const cells = await loadCells(frames, item, place);
      return typeof cells === "string" ? { kind: "failed" } : readPlace(cells, place);
    },
    finish: () => undefined,
  }),
  around: (frames) => ({
    run: async ({ places, ...frame }) => {
      const cells = await loadCells(frames, frame);
      return typeof cells === "string" ? undefined : places.map((place) => readAround(cells, place));
    },
    finish: () => undefined,
  }),
  swath: (frames, reference) => {
    let builder = new SwathBuilder(reference);
    const used: FrameRef[] = [];
    const addDecoded = async (item: FrameRef): Promise<FrameJobs["swath"]["result"]> => {
      const cells = await loadCells(frames, item);
      if (typeof cells === "string") return "failed";
      builder.add(cells);
      return builder.isUsed.at(-1)! ? "used" : "another-grid";
    };
    /** Forgets the cells of a picture that turned out to be damaged. */
    const startAgain = async (): Promise<void> => {
      builder = new SwathBuilder(reference);
      for (const item of used) await addDecoded(item);
    };
    const add = async (item: FrameRef): Promise<FrameJobs["swath"]["result"]> => {
      const deflated = await loadDeflated(frames, item);
      if (!deflated) return addDecoded(item);
      const isUsed = builder.addPicture(deflated, deflated.raise);
      if (isUsed !== undefined) return isUsed ? "used" : "another-grid";
      // Cells raised from a sound picture of another form are right.
      const result = await addDecoded(item);
      if (result === "failed") await startAgain();
      return result;
    };
    return {
      run: async (item) => {
        const result = await add(item);
        if (result === "used") used.push(item);
        return result;
      },
      finish: () => builder.toSwath(),
    };
  },
  difference: (frames) => ({
    run: async ([before, after]) => {
      const [first, second] = [await loadCells(frames, before), await loadCells(frames, after)];
      if (typeof first === "string") return { why: toReason(before, first) };
      if (typeof second === "string") return { why: toReason(after, second) };
      const why = whyIncomparable(first, second);
      return why === undefined ? measureDifference(first, second) : { why };
    },
    finish: () => undefined,
  }),
};

/** Loads and decodes a frame. @param place as for `decodeCells` */
export async function loadCells(
  frames: FrameStore,
  { frameId, bounds }: FrameRef,
  place?: Coordinate,
): Promise<CellFrame | UnreadableCause> {
  const png = await loadFrame(frames, frameId);
  return png ? decodeCells(png, bounds, place) : "damaged";
}

/** Loads a frame without decoding its picture. Returns undefined as `readDeflated` does, and for a missing frame. */
export async function loadDeflated(
  frames: FrameStore,
  { frameId, bounds }: FrameRef,
): Promise<DeflatedFrame | undefined> {
  const png = await loadFrame(frames, frameId);
  return png && readDeflated(png, bounds);
}

/** Returns undefined for a frame that is missing or whose bytes are not its own. */
async function loadFrame(frames: FrameStore, frameId: string): Promise<Uint8Array | undefined> {
  try {
    return await frames.read(frameId);
  } catch (error) {
    if (isAppError(error, "stored-data-invalid")) return undefined;
    throw error;
  }
}

function toReason({ sequence }: NumberedFrame, cause: UnreadableCause): string {
  return cause === "damaged"
    ? `The frame of revision ${sequence} cannot be read.`
    : `The frame of revision ${sequence} does not say its classes and their cells.`;
}
