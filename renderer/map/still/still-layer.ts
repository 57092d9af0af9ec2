// The custom layer of a map off screen. MapLibre draws the ground, lines and labels; the storm is painted apart from
// them by the processor, which needs no upload to the GPU and no reading back.
import type { CustomLayerInterface, CustomRenderMethodInput } from "maplibre-gl";
import type { AnalysisClient } from "../../frames/analysis-client.ts";
import type { DecodedFrame } from "../../frames/decoded-frame.ts";
import type { FrameRef } from "../../frames/frame-ref.ts";
import { sharedFrames } from "../../frames/shared-frames.ts";
import { schedule } from "../../platform/page-effects.ts";
import type { FrameBudget } from "../../platform/viewer-limits.ts";
import { isSamePlace, toClipTransform } from "../../frames/screen/screen-geometry.ts";
import { StormStage, type StageEvents } from "../storm-stage.ts";
import type { StillFrame, StillView } from "./still-view.ts";
import { StormPixels } from "./storm-pixels.ts";

export class StillLayer implements CustomLayerInterface {
  readonly id = "storm-frames";
  readonly type = "custom";
  readonly renderingMode = "2d";
  readonly stage: StormStage<StillFrame>;
  /** Called where MapLibre would draw the storm. */
  inPlace: ((gl: WebGL2RenderingContext) => void) | undefined;
  readonly #loader = sharedFrames.open("cells");
  readonly #pixels = new StormPixels();
  #view: StillView | undefined;
  /** True from a movement of the map until it is drawn. */
  #isMoved = false;

  constructor(budget: FrameBudget, analysis: AnalysisClient, events: StageEvents) {
    this.stage = new StormStage<StillFrame>(
      budget,
      {
        load: (ref, signal) => (ref.derived ? analysis.draw(ref.derived, signal) : this.#load(ref, signal)),
        beginUpload: (frame) => ({ step: () => toStillFrame(frame), cancel: () => undefined }),
        releaseTexture: () => undefined,
        nowMs: () => performance.now(),
        schedule,
        onNextFrame: (run) => schedule(0, run),
        // The storm is painted when a picture is taken.
        repaint: () => undefined,
      },
      events,
    );
    this.stage.resume();
  }

  /** Call it when the map's place on its screen changes, before it is drawn there. */
  move(): void {
    this.#isMoved = true;
  }

  /** MapLibre calls it before it draws anything of this repaint. */
  prerender(gl: WebGL2RenderingContext, { defaultProjectionData }: CustomRenderMethodInput): void {
    const screen = { widthPx: gl.drawingBufferWidth, heightPx: gl.drawingBufferHeight };
    const pixelRatio = screen.widthPx / (gl.canvas as HTMLCanvasElement).clientWidth;
    const view = { transform: toClipTransform(defaultProjectionData.mainMatrix), screen, pixelRatio };
    this.#view = view;
    this.#isMoved = false;
    this.stage.dropFrames((frame) => isElsewhere(frame, view));
  }

  render(gl: WebGL2RenderingContext): void {
    this.inPlace?.(gl);
  }

  /** Takes the picture of now, and returns what paints it over a ground on pixels of the map's size. */
  takePicture(): (pixels: Uint32Array, ground: Uint32Array) => void {
    const items = this.stage.collect();
    const { swipe } = this.stage;
    this.stage.painted();
    return (pixels, ground) => {
      if (this.#view) this.#pixels.paint(pixels, ground, { items, swipe, view: this.#view });
    };
  }

  /** Loads a frame as the screen shows it if the map stays in its place. */
  async #load({ imageUrl, bounds }: FrameRef, signal: AbortSignal): Promise<DecodedFrame> {
    for (;;) {
      const view = this.#view && !this.#isMoved ? { ...this.#view, bounds } : undefined;
      const frame = await this.#loader.load(imageUrl, signal, view);
      if (!this.#view || !isElsewhere(frame, this.#view)) return frame;
    }
  }

  close(): void {
    this.stage.close();
    this.#loader.close();
  }
}

/** Returns true for a frame as another screen shows it. */
function isElsewhere(frame: DecodedFrame, view: StillView): boolean {
  return frame.kind === "indexed" && frame.place !== undefined && !isSamePlace(frame.place, view);
}

function toStillFrame(frame: DecodedFrame): StillFrame {
  if (frame.kind === "indexed") return frame;
  const pictures = frame.tiles.map(({ bitmap, columnStart, rowStart }) => {
    const { width: widthPx, height: heightPx } = bitmap;
    const context = new OffscreenCanvas(widthPx, heightPx).getContext("2d", { willReadFrequently: true })!;
    context.drawImage(bitmap, 0, 0);
    const { data: rgba } = context.getImageData(0, 0, widthPx, heightPx);
    return { columnStart, rowStart, widthPx, heightPx, rgba };
  });
  return { ...frame, pictures };
}
