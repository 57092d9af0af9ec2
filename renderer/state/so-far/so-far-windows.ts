// The windows that the largest values so far are made of, and what became of each. Pure.
import type { MissingWindow, SwathWindow } from "../../../shared/analysis/window-layers.ts";
import type { ProductId } from "../../../shared/contract/index.ts";
import type { SwathFacts } from "../../frames/analysis-messages.ts";
import type { FrameRef } from "../../frames/frame-ref.ts";
import type { Revision } from "../timeline/revisions.ts";

export interface SoFar {
  readonly product: ProductId;
  /** Times of observation of the first and of the last window, in milliseconds since the Unix epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Present start of the loop, if arrivals moved it while the playhead rests: the swath keeps the earlier one. */
  readonly laterStartMs: number | undefined;
  /** Every two-minute window between them, ascending. */
  readonly windows: readonly SwathWindow<Revision>[];
  /** The frames of the windows that have one, ascending. */
  readonly frames: readonly FrameRef[];
  /** The picture; undefined if no window has a frame. */
  readonly picture: FrameRef | undefined;
  /** Sequence after which nothing is known; undefined for now. */
  readonly knownAt: number | undefined;
}

/** One swath that was wanted, and what the analysis says of it. */
export interface MadeSoFar {
  readonly soFar: SoFar;
  /** Number of frames read so far. */
  readonly read: number;
  /** Number of frames, from the first, that the map may draw the swath of. */
  readonly grown: number;
  /** Undefined until all are read. */
  readonly facts: SwathFacts | undefined;
}

export function toObservedAt(window: SwathWindow<Revision>): string {
  return "layer" in window ? window.layer.observedAt : window.missing.observedAt;
}

/** The windows of a swath by what became of them. */
export interface SoFarAudit {
  readonly windows: number;
  readonly used: number;
  /** Ascending. */
  readonly missing: readonly MissingWindow[];
}

/** Until the frames are read, each that was published counts as used. */
export function toAudit({ soFar, facts }: Pick<MadeSoFar, "soFar" | "facts">): SoFarAudit {
  let frame = 0;
  const missing = soFar.windows.flatMap((window): MissingWindow[] => {
    if ("missing" in window) return [window.missing];
    const part = facts?.parts[frame++] ?? "used";
    return part === "used" ? [] : [{ observedAt: window.layer.observedAt, why: part }];
  });
  return { windows: soFar.windows.length, used: soFar.windows.length - missing.length, missing };
}
