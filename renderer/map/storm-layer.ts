// The stage and the layer that draws it, put together with this page's clock, animation frames, decode workers and GPU. All that
// a MapLibre map needs to show storms.
import { FrameLoader } from "./frame-loader.ts";
import type { FrameBudget } from "./frame-shelf.ts";
import { beginFrameUpload, createSliceBuffer, releaseFrameTexture } from "./frame-textures.ts";
import type { FrameTexture } from "./frame-textures.ts";
import { RasterLayer } from "./raster-layer.ts";
import type { StormMapEvents } from "./scene.ts";
import { StormStage } from "./storm-stage.ts";

const decodeWorkers = 2;
/** WebGL 2 promises textures of this size everywhere; pictures in colours are cut to it when they are decoded. */
const colourTilePx = 2048;

export class StormLayer {
  readonly stage: StormStage<FrameTexture>;
  /** To be added to the map, and added again after its graphics context was lost. */
  readonly layer: RasterLayer;
  readonly #loader = new FrameLoader({ workers: decodeWorkers, maxTilePx: colourTilePx });
  #gl: WebGL2RenderingContext | undefined;

  /** `repaint` asks the map for a repaint. */
  constructor(
    budget: FrameBudget,
    events: Pick<StormMapEvents, "onDrawn" | "onFrameState" | "onCache">,
    repaint: () => void,
  ) {
    this.stage = this.#createStage(budget, events, repaint);
    this.layer = new RasterLayer({
      collect: () => this.stage.collect(),
      onAdded: (gl) => {
        this.#gl = gl;
        this.stage.resume();
      },
      onPainted: () => {
        this.stage.painted();
      },
    });
  }

  /** The graphics context is lost, and with it all textures. */
  loseContext(): void {
    this.#gl = undefined;
    this.stage.suspend();
  }

  close(): void {
    this.stage.close();
    this.#loader.close();
    this.#gl = undefined;
  }

  #createStage(
    budget: FrameBudget,
    events: Pick<StormMapEvents, "onDrawn" | "onFrameState" | "onCache">,
    repaint: () => void,
  ): StormStage<FrameTexture> {
    const slice = createSliceBuffer();
    return new StormStage<FrameTexture>(
      budget,
      {
        load: ({ imageUrl }, signal) => this.#loader.load(imageUrl, signal),
        beginUpload: (frame) => {
          if (!this.#gl) throw new Error("The graphics context is lost.");
          return beginFrameUpload(this.#gl, frame, slice);
        },
        releaseTexture: (texture) => {
          if (this.#gl) releaseFrameTexture(this.#gl, texture);
        },
        nowMs: () => performance.now(),
        schedule: (delayMs, run) => {
          const timer = setTimeout(run, delayMs);
          return () => {
            clearTimeout(timer);
          };
        },
        onNextFrame: (run) => {
          const request = requestAnimationFrame(run);
          return () => {
            cancelAnimationFrame(request);
          };
        },
        defer: (run) => {
          queueMicrotask(run);
        },
        repaint,
      },
      events,
    );
  }
}

/** Three quarters of a gigabyte on a machine with 8 GiB or more, less on smaller ones; a third of it is memory, the rest the GPU's. */
export function findFrameBudget(): FrameBudget {
  const deviceGiB = (navigator as { deviceMemory?: number }).deviceMemory ?? 8;
  const megabytes = Math.min(768, Math.max(256, deviceGiB * 96));
  return { memoryBytes: (megabytes / 3) * 2 ** 20, gpuBytes: (megabytes / 3) * 2 * 2 ** 20 };
}
