// The step from a scene to what is drawn: which picture may be on screen, which frames it needs, and when they are
// uploaded. Knows neither MapLibre nor WebGL, so that the step rule is tested with a fake clock.
import type { Bounds } from "../../shared/contract/index.ts";
import { unionBounds } from "../../shared/geo/bounds.ts";
import type { CoverageGrid } from "../../shared/frames/coverage-grid.ts";
import { firstMarkedIndex } from "../../shared/frames/marks.ts";
import { findEdge, findOutlined } from "../../shared/frames/outlines.ts";
import { uploadMs, type FrameBudget } from "../platform/viewer-limits.ts";
import { isSameColoring, toColorTable } from "./color-table.ts";
import { toBlockBounds } from "../frames/echo-block.ts";
import { FrameCache } from "./frame-cache.ts";
import type { FrameCacheEffects } from "./frame-cache.ts";
import { probeFrame } from "./probe.ts";
import type { ProbePoint } from "./probe.ts";
import type { DecodedFrame } from "../frames/decoded-frame.ts";
import type { FrameRef } from "../frames/frame-ref.ts";
import type {
  DrawnPicture,
  ProbeReading,
  Scene,
  SceneLayer,
  StormMapEvents,
  OverlayReading,
} from "./scene.ts";
import { isSameDrawnPicture, layersToDraw, nextPicture, toDrawnPicture, wishesOf } from "./step-rule.ts";
import type { DrawLayer, Picture, ShownOverlays } from "./step-rule.ts";

export interface StageEffects<Texture> extends Omit<
  FrameCacheEffects<Texture>,
  "onChange" | "onFrameState" | "onUse"
> {
  /** Runs `run` before the next repaint of the page, unless the returned function is called before. */
  onNextFrame(run: () => void): () => void;
  /** Asks for a repaint of the map, which calls `collect` and then `painted`. */
  repaint(): void;
}

/** Called after the current call has ended. */
export type StageEvents = Pick<StormMapEvents, "onDrawn" | "onFrameState" | "onCache">;

/** One layer of the picture, ready to be drawn. */
export interface StageItem<Texture> extends DrawLayer {
  readonly texture: Texture;
  /** 256 RGBA entries for indices; undefined for a color picture. A changed table is a new array. */
  readonly colorTable: Uint8Array | undefined;
  /** Palette index of the lowest class that is marked; undefined if none is. */
  readonly markedFrom: number | undefined;
  /** Palette index of the lowest class inside each contour, ascending; at most two. */
  readonly outlined: readonly number[];
  /** Undefined if the frame carries none. */
  readonly coverage: CoverageGrid | undefined;
}

const loading = { kind: "loading" } as const;

export class StormStage<Texture> {
  readonly #effects: StageEffects<Texture>;
  readonly #events: StageEvents;
  readonly #cache: FrameCache<Texture>;
  #scene: Scene = {
    eventId: undefined,
    sequence: undefined,
    layers: [],
    overlays: [],
    swipe: undefined,
    prefetch: [],
  };
  #picture: Picture | undefined;
  #painted: Drawing | undefined;
  #shownOverlays: ShownOverlays = new Map();
  #reported: DrawnPicture | undefined;
  #isUseReported = true;
  #cancelUploads: (() => void) | undefined;
  #canDraw = false;
  #closed = false;

  constructor(budget: FrameBudget, effects: StageEffects<Texture>, events: StageEvents) {
    this.#effects = effects;
    this.#events = events;
    this.#cache = new FrameCache(budget, {
      ...effects,
      onChange: () => {
        // The previous picture may be evicted from now on, the new one must not be.
        if (this.#takeStep()) this.#cache.want(wishesOf(this.#scene), this.#framesOnScreen());
        this.#follow();
      },
      onFrameState: (imageUrl, state) => {
        this.#report(() => {
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
    if (scene.eventId !== this.#scene.eventId) this.#shownOverlays = new Map();
    this.#scene = scene;
    this.#takeStep();
    this.#cache.want(wishesOf(scene), this.#framesOnScreen());
    this.#follow();
  }

  /** Call it when the GPU is available; it holds no textures yet. */
  resume(): void {
    this.#canDraw = true;
    this.#painted = undefined;
    this.#follow();
  }

  /** Call it when the GPU has lost all textures. */
  suspend(): void {
    this.#canDraw = false;
    this.#cancelUploads?.();
    this.#cancelUploads = undefined;
    this.#cache.dropTextures();
  }

  /** Drops these frames, and loads those again that are wanted. */
  dropFrames(isDropped: (frame: DecodedFrame) => boolean): void {
    this.#cache.dropFrames(isDropped);
  }

  /** Returns what to draw now, bottom first: one whole picture or nothing. */
  collect(): StageItem<Texture>[] {
    return this.#layersToDraw().flatMap((layer) => {
      const entry = this.#cache.find(layer.frame.imageUrl);
      if (entry?.texture === undefined) return [];
      const indexed = entry.frame?.kind === "indexed" ? entry.frame : undefined;
      const colorTable = indexed && toColorTable(indexed, layer.coloring);
      const markedFrom = indexed?.classes && firstMarkedIndex(indexed.classes);
      const { showFrom, isEdged } = layer.coloring;
      const findLines = isEdged ? findEdge : findOutlined;
      const outlined = indexed?.classes ? findLines(indexed.classes, showFrom) : [];
      const { texture } = entry;
      const frame = { ...layer.frame, bounds: indexed?.bounds ?? layer.frame.bounds };
      return [{ ...layer, frame, texture, colorTable, markedFrom, outlined, coverage: indexed?.coverage }];
    });
  }

  /** Call it when the items of `collect` have been painted. */
  painted(): void {
    const draw = this.#layersToDraw();
    this.#painted = { layers: draw, swipe: this.#scene.swipe };
    const overlays = draw.filter(({ product }) => product === undefined);
    this.#shownOverlays = new Map(overlays.map(({ id, frame }) => [id, frame]));
    const drawn = toDrawnPicture(this.#picture, this.#scene, draw);
    if (isSameDrawnPicture(drawn, this.#reported)) return;
    this.#reported = drawn;
    this.#report(() => {
      this.#events.onDrawn(drawn);
    });
  }

  /** Replaces the budget for frames; the picture on screen stays. */
  setBudget(budget: FrameBudget): void {
    this.#cache.setBudget(budget);
  }

  readProbe(point: ProbePoint): ProbeReading[] {
    return this.#scene.layers.filter(({ visible }) => visible).map((layer) => this.#probeLayer(layer, point));
  }

  /** Returns one reading for each overlay on screen. */
  readOverlays(point: ProbePoint): OverlayReading[] {
    return this.collect()
      .filter(({ product }) => product === undefined)
      .map(({ id, frame, coloring }) => {
        const entry = this.#cache.find(frame.imageUrl);
        return { id, ...(entry?.frame ? probeFrame(entry.frame, frame.bounds, point, coloring) : loading) };
      });
  }

  /** The picture of the last repaint. */
  get drawn(): DrawnPicture | undefined {
    return this.#reported;
  }

  /** Place of the swipe line across the map, 0 to 1; undefined without one. */
  get swipe(): number | undefined {
    return this.#scene.swipe;
  }

  /** Returns the bounds of the echo in those of the frames that are loaded; undefined if there is none. */
  findEchoBounds(frames: readonly FrameRef[]): Bounds | undefined {
    const [first, ...others] = frames.flatMap(({ imageUrl, bounds }) => {
      const frame = this.#cache.find(imageUrl)?.frame;
      if (frame?.kind !== "indexed" || !frame.echo) return [];
      return [toBlockBounds({ bounds, widthPx: frame.widthPx, heightPx: frame.heightPx }, frame.echo)];
    });
    return first && unionBounds(first, ...others);
  }

  isReady(imageUrls: readonly string[]): boolean {
    return imageUrls.every((imageUrl) => this.#cache.readinessOf(imageUrl) !== "pending");
  }

  close(): void {
    this.#closed = true;
    this.#cancelUploads?.();
    this.#cache.close();
  }

  /** Changes the picture if the step may be taken. Returns false if nothing changes. */
  #takeStep(): boolean {
    const picture = nextPicture(this.#picture, this.#scene, (imageUrl) => this.#cache.readinessOf(imageUrl));
    if (isSamePicture(picture, this.#picture)) return false;
    this.#picture = picture;
    return true;
  }

  /** Asks for a repaint if one is due, and schedules uploads. */
  #follow(): void {
    if (this.#closed) return;
    if (this.#canDraw && this.#isRepaintDue()) this.#effects.repaint();
    this.#scheduleUploads();
  }

  #isRepaintDue(): boolean {
    const draw = this.#layersToDraw();
    const drawn = toDrawnPicture(this.#picture, this.#scene, draw);
    if (!this.#painted || !isSameDrawnPicture(drawn, this.#reported)) return true;
    return !isSameDrawing({ layers: draw, swipe: this.#scene.swipe }, this.#painted);
  }

  /** The frames that must not be evicted. */
  #framesOnScreen(): FrameRef[] {
    return [...framesOf(this.#picture), ...this.#shownOverlays.values()];
  }

  #layersToDraw(): DrawLayer[] {
    return layersToDraw(
      this.#picture,
      this.#scene,
      this.#shownOverlays,
      (imageUrl) => this.#cache.find(imageUrl)?.texture !== undefined,
    );
  }

  #scheduleUploads(): void {
    if (!this.#canDraw || this.#cancelUploads || this.#cache.uploads === "none") return;
    this.#cancelUploads = this.#effects.onNextFrame(() => {
      this.#cancelUploads = undefined;
      const spendMs = this.#cache.uploads === "urgent" ? uploadMs.urgent : uploadMs.quiet;
      this.#cache.tick(this.#effects.nowMs() + spendMs);
      this.#scheduleUploads();
    });
  }

  #probeLayer({ id, frame: wanted, coloring }: SceneLayer, point: ProbePoint): ProbeReading {
    const shown = this.#picture?.layers.find((layer) => layer.id === id);
    if (!shown) return { id, frame: undefined, kind: wanted ? "loading" : "not-delivered" };
    const { frame } = shown;
    if (!frame) return { id, frame, kind: "not-delivered" };
    const entry = this.#cache.find(frame.imageUrl);
    if (shown.failed) {
      return {
        id,
        frame,
        kind: "failed",
        message: entry?.failure?.message ?? "The frame could not be loaded.",
      };
    }
    if (!entry?.frame) return { id, frame, kind: "loading" };
    return { id, frame, ...probeFrame(entry.frame, frame.bounds, point, coloring) };
  }

  /** Reports the last of a burst of changes. */
  #reportUse(): void {
    if (!this.#isUseReported) return;
    this.#isUseReported = false;
    this.#report(() => {
      this.#isUseReported = true;
      this.#events.onCache(this.#cache.use);
    });
  }

  #report(run: () => void): void {
    queueMicrotask(() => {
      if (!this.#closed) run();
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

interface Drawing {
  readonly layers: readonly DrawLayer[];
  readonly swipe: number | undefined;
}

function isSameDrawing({ layers: a, swipe }: Drawing, { layers: b, swipe: otherSwipe }: Drawing): boolean {
  if (a.length !== b.length || swipe !== otherSwipe) return false;
  return a.every((layer, index) => {
    const other = b[index]!;
    return (
      layer.id === other.id &&
      layer.side === other.side &&
      layer.frame.imageUrl === other.frame.imageUrl &&
      layer.opacity === other.opacity &&
      isSameColoring(layer.coloring, other.coloring)
    );
  });
}
