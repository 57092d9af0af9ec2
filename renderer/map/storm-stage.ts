// Everything between a scene and the storm layer: which picture may be on screen, which frames it needs, when they are uploaded,
// and what is told to the app. Knows neither MapLibre nor WebGL, so that the step rule is tested with a fake clock.
import type { PaletteId } from "../../shared/products/palettes.ts";
import type { CoverageGrid } from "../../shared/frames/coverage-grid.ts";
import { toColourTable } from "./colour-table.ts";
import { FrameCache } from "./frame-cache.ts";
import type { FrameCacheEffects } from "./frame-cache.ts";
import type { FrameBudget } from "./frame-shelf.ts";
import { isSameDrawnPicture, layersToDraw, nextPicture, toDrawnPicture, wishesOf } from "./step-rule.ts";
import type { DrawLayer, Picture } from "./step-rule.ts";
import { probeFrame } from "./probe.ts";
import type { ProbePoint } from "./probe.ts";
import type {
  DrawnPicture,
  FrameRef,
  ProbeAnswer,
  ProbeReading,
  Scene,
  SceneLayer,
  StormMapEvents,
} from "./scene.ts";

/** How long uploads may take in one animation frame, when a step waits for them and when none does. */
const urgentUploadMs = 40;
const quietUploadMs = 8;

export interface StageEffects<Texture> extends Pick<
  FrameCacheEffects<Texture>,
  "load" | "beginUpload" | "releaseTexture" | "nowMs" | "schedule"
> {
  /** Runs `run` before the next repaint of the page, unless the function returned is called before. */
  onNextFrame(run: () => void): () => void;
  /** Runs `run` after the current call has ended. */
  defer(run: () => void): void;
  /** Asks for a repaint of the map, in which `collect` and then `painted` are called. */
  repaint(): void;
}

/** One layer of the picture, ready to be drawn. */
export interface StageItem<Texture> extends DrawLayer {
  readonly texture: Texture;
  /** Undefined for a picture in colours. */
  readonly colourTable: Uint8Array | undefined;
  /** Undefined when the frame does not say. */
  readonly coverage: CoverageGrid | undefined;
}

export class StormStage<Texture> {
  readonly #effects: StageEffects<Texture>;
  readonly #events: Pick<StormMapEvents, "onDrawn" | "onFrameState" | "onCache">;
  readonly #cache: FrameCache<Texture>;
  #scene: Scene = { eventId: undefined, sequence: undefined, layers: [], palette: "standard", prefetch: [] };
  #picture: Picture | undefined;
  #painted: { readonly draw: readonly DrawLayer[]; readonly palette: PaletteId } | undefined;
  #reported: DrawnPicture | undefined;
  #useIsReported = true;
  #cancelUploads: (() => void) | undefined;
  #canDraw = false;
  #closed = false;

  constructor(
    budget: FrameBudget,
    effects: StageEffects<Texture>,
    events: Pick<StormMapEvents, "onDrawn" | "onFrameState" | "onCache">,
  ) {
    this.#effects = effects;
    this.#events = events;
    this.#cache = new FrameCache(budget, {
      load: (frame, signal) => effects.load(frame, signal),
      beginUpload: (frame) => effects.beginUpload(frame),
      releaseTexture: (texture) => {
        effects.releaseTexture(texture);
      },
      nowMs: () => effects.nowMs(),
      schedule: (delayMs, run) => effects.schedule(delayMs, run),
      onChange: () => {
        // What was on screen may be evicted from now on, and what is must not be.
        if (this.#takeStep()) this.#cache.want(wishesOf(this.#scene), framesOf(this.#picture));
        this.#follow();
      },
      onFrameState: (imageUrl, state) => {
        this.#tell(() => {
          events.onFrameState(imageUrl, state);
        });
      },
      onUse: () => {
        this.#reportUse();
      },
    });
  }

  setScene(scene: Scene): void {
    if (this.#closed) return;
    this.#scene = scene;
    this.#takeStep();
    this.#cache.want(wishesOf(scene), framesOf(this.#picture));
    this.#follow();
  }

  /** The GPU is there, and empty. */
  resume(): void {
    this.#canDraw = true;
    this.#painted = undefined;
    this.#follow();
  }

  /** The GPU has lost all that was on it. */
  suspend(): void {
    this.#canDraw = false;
    this.#cancelUploads?.();
    this.#cancelUploads = undefined;
    this.#cache.dropTextures();
  }

  /** What to draw now, bottom first: one whole picture or nothing. */
  collect(): StageItem<Texture>[] {
    return this.#layersToDraw().flatMap((layer) => {
      const texture = this.#cache.findTexture(layer.frame.imageUrl);
      const frame = this.#cache.findFrame(layer.frame.imageUrl);
      if (texture === undefined) return [];
      const indexed = frame?.kind === "indexed" ? frame : undefined;
      const colourTable = indexed && toColourTable(indexed, this.#scene.palette);
      return [{ ...layer, texture, colourTable, coverage: indexed?.coverage }];
    });
  }

  /** Call it when what `collect` gave has been painted. */
  painted(): void {
    const draw = this.#layersToDraw();
    this.#painted = { draw, palette: this.#scene.palette };
    const drawn = toDrawnPicture(this.#picture, this.#scene, draw);
    if (isSameDrawnPicture(drawn, this.#reported)) return;
    this.#reported = drawn;
    this.#tell(() => {
      this.#events.onDrawn(drawn);
    });
  }

  readProbe(point: ProbePoint): ProbeReading[] {
    const visible = this.#scene.layers.filter((layer) => layer.visible);
    return visible.map((layer) => {
      const { frame, answer } = this.#probeLayer(layer, point);
      return { id: layer.id, frame, ...answer };
    });
  }

  isReady(imageUrls: readonly string[]): boolean {
    return imageUrls.every((imageUrl) => this.#cache.readinessOf(imageUrl) !== "pending");
  }

  close(): void {
    this.#closed = true;
    this.#cancelUploads?.();
    this.#cache.close();
  }

  /** Changes the picture if the step may be taken. False when nothing changes. */
  #takeStep(): boolean {
    const picture = nextPicture(this.#picture, this.#scene, (imageUrl) => this.#cache.readinessOf(imageUrl));
    if (isSamePicture(picture, this.#picture)) return false;
    this.#picture = picture;
    return true;
  }

  /** Sees to it that what is on screen and what is being uploaded follow. */
  #follow(): void {
    if (this.#closed) return;
    if (this.#canDraw && this.#isRepaintDue()) this.#effects.repaint();
    this.#scheduleUploads();
  }

  #isRepaintDue(): boolean {
    const draw = this.#layersToDraw();
    const drawn = toDrawnPicture(this.#picture, this.#scene, draw);
    if (!this.#painted || !isSameDrawnPicture(drawn, this.#reported)) return true;
    return this.#painted.palette !== this.#scene.palette || !isSameDrawing(draw, this.#painted.draw);
  }

  #layersToDraw(): DrawLayer[] {
    return layersToDraw(
      this.#picture,
      this.#scene,
      (imageUrl) => this.#cache.findTexture(imageUrl) !== undefined,
    );
  }

  #scheduleUploads(): void {
    if (!this.#canDraw || this.#cancelUploads || this.#cache.uploads === "none") return;
    this.#cancelUploads = this.#effects.onNextFrame(() => {
      this.#cancelUploads = undefined;
      const spendMs = this.#cache.uploads === "urgent" ? urgentUploadMs : quietUploadMs;
      this.#cache.tick(this.#effects.nowMs() + spendMs);
      this.#scheduleUploads();
    });
  }

  #probeLayer(
    layer: SceneLayer,
    point: ProbePoint,
  ): { readonly frame: FrameRef | undefined; readonly answer: ProbeAnswer } {
    const shown = this.#picture?.layers.find(({ id }) => id === layer.id);
    if (!shown) return { frame: undefined, answer: { kind: layer.frame ? "loading" : "not-delivered" } };
    const { frame } = shown;
    if (!frame) return { frame, answer: { kind: "not-delivered" } };
    if (shown.failed) {
      const message = this.#cache.findFailure(frame.imageUrl) ?? "The frame could not be loaded.";
      return { frame, answer: { kind: "failed", message } };
    }
    const decoded = this.#cache.findFrame(frame.imageUrl);
    if (!decoded) return { frame, answer: { kind: "loading" } };
    return { frame, answer: probeFrame(decoded, frame.bounds, point, this.#scene.palette) };
  }

  /** The cache reports each change; the app hears of the last one in a burst. */
  #reportUse(): void {
    if (!this.#useIsReported) return;
    this.#useIsReported = false;
    this.#tell(() => {
      this.#useIsReported = true;
      this.#events.onCache(this.#cache.use);
    });
  }

  #tell(say: () => void): void {
    this.#effects.defer(() => {
      if (!this.#closed) say();
    });
  }
}

function framesOf(picture: Picture | undefined): FrameRef[] {
  return (picture?.layers ?? [])
    .filter(({ required, failed }) => required && !failed)
    .flatMap(({ frame }) => frame ?? []);
}

function isSamePicture(a: Picture | undefined, b: Picture | undefined): boolean {
  if (!a || !b) return a === b;
  if (a.eventId !== b.eventId || a.sequence !== b.sequence || a.layers.length !== b.layers.length)
    return false;
  return a.layers.every((layer, index) => {
    const other = b.layers[index]!;
    return (
      layer.id === other.id &&
      layer.frame?.imageUrl === other.frame?.imageUrl &&
      layer.required === other.required &&
      layer.failed === other.failed
    );
  });
}

function isSameDrawing(a: readonly DrawLayer[], b: readonly DrawLayer[]): boolean {
  return (
    a.length === b.length &&
    a.every((layer, index) => {
      const other = b[index]!;
      return (
        layer.id === other.id &&
        layer.frame.imageUrl === other.frame.imageUrl &&
        layer.opacity === other.opacity
      );
    })
  );
}
