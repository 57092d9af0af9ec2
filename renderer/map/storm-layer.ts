// The custom MapLibre layer that draws storm frames. It gives the stage this page's clock, decode workers and GPU, and
// has what the stage collects painted.
import type { CustomLayerInterface, CustomRenderMethodInput } from "maplibre-gl";
import { onNextFrame, schedule } from "../platform/page-effects.ts";
import { uploadSliceBytes, type FrameBudget } from "../platform/viewer-limits.ts";
import type { AnalysisClient } from "../frames/analysis-client.ts";
import { sharedFrames } from "../frames/shared-frames.ts";
import { FramePainter } from "./frame-painter.ts";
import { beginFrameUpload, releaseFrameTexture } from "./frame-textures.ts";
import type { FrameTexture } from "./frame-textures.ts";
import { toClipTransform } from "../frames/screen/screen-geometry.ts";
import { StormStage } from "./storm-stage.ts";
import type { StageEvents } from "./storm-stage.ts";

/** Add it to the map, and add it again after the graphics context was lost. */
export class StormLayer implements CustomLayerInterface {
  readonly id = "storm-frames";
  readonly type = "custom";
  readonly renderingMode = "2d";
  readonly stage: StormStage<FrameTexture>;
  readonly #loader = sharedFrames.open("levels");
  /** Undefined before the layer is added and after the context is lost. */
  #gl: WebGL2RenderingContext | undefined;
  #painter: FramePainter | undefined;

  /** `repaint` asks the map for a repaint. */
  constructor(budget: FrameBudget, analysis: AnalysisClient, events: StageEvents, repaint: () => void) {
    // One slice is uploaded at a time, so all uploads share one buffer.
    const slice = new Uint8Array(uploadSliceBytes);
    this.stage = new StormStage<FrameTexture>(
      budget,
      {
        load: ({ imageUrl, derived }, signal) =>
          derived ? analysis.draw(derived, signal) : this.#loader.load(imageUrl, signal),
        beginUpload: (frame) => {
          if (!this.#gl) throw new Error("The graphics context is lost.");
          return beginFrameUpload(this.#gl, frame, slice);
        },
        releaseTexture: (texture) => {
          if (this.#gl) releaseFrameTexture(this.#gl, texture);
        },
        nowMs: () => performance.now(),
        schedule,
        onNextFrame,
        repaint,
      },
      events,
    );
  }

  onAdd(_map: unknown, gl: WebGL2RenderingContext): void {
    this.#painter = new FramePainter(gl);
    this.#gl = gl;
    this.stage.resume();
  }

  onRemove(): void {
    this.#painter?.release();
    this.#painter = undefined;
  }

  /** Call it when the graphics context is lost, and with it all textures. */
  loseContext(): void {
    this.#gl = undefined;
    this.stage.suspend();
  }

  close(): void {
    this.stage.close();
    this.#loader.close();
    this.#gl = undefined;
  }

  /** MapLibre calls it before it draws anything of this repaint, so that other targets may be drawn into. */
  prerender(_gl: WebGL2RenderingContext, { defaultProjectionData }: CustomRenderMethodInput): void {
    this.#painter?.prepare(this.stage.collect(), toClipTransform(defaultProjectionData.mainMatrix));
  }

  render(): void {
    if (!this.#painter) return;
    this.#painter.paint(this.stage.swipe);
    this.stage.painted();
  }
}
