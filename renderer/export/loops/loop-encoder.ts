// The interface of what turns sheets into a file.
import type { LoopFile } from "./loop-file.ts";
import type { LoopPlan } from "./loop-plan.ts";
import type { SheetSize } from "../sheet-drawer.ts";

export interface LoopEncoder {
  /** Takes a frame. The canvas may change when it resolves; it waits while earlier frames are being encoded. */
  readonly add: (canvas: HTMLCanvasElement, time: FrameTime) => Promise<void>;
  readonly finish: () => Promise<void>;
  /** Gives up; does nothing after `finish`. */
  readonly close: () => Promise<void>;
}

export interface FrameTime {
  readonly startMs: number;
  readonly durationMs: number;
}

export interface EncoderOptions {
  readonly plan: LoopPlan;
  readonly size: SheetSize;
  readonly file: LoopFile;
}
