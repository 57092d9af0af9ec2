// What the map is told and what it tells: the whole value that the app gives it on each change, and the facts that it
// gives back. Types alone; how a scene becomes a picture is picture-plan.ts and storm-map.ts.
import type { Bounds, Coordinate, ProductId } from "../../shared/contract/index.ts";
import type { PaletteId } from "../../shared/products/palettes.ts";

/** One frame of one layer. Frames are immutable: the same `imageUrl` is the same bytes, and is the cache's key. */
export interface FrameRef {
  readonly imageUrl: string;
  /** The exact outer edges of the picture, whose rows are equal steps of Web Mercator y. */
  readonly bounds: Bounds;
}

export interface SceneLayer {
  readonly id: ProductId;
  /** Undefined when the revision has no frame of this layer: drawn as nothing, probed as "not-delivered". */
  readonly frame: FrameRef | undefined;
  readonly visible: boolean;
  /** 0 to 1. */
  readonly opacity: number;
}

/**
 * What should be on the map. Visibility, opacity, order and palette apply to the picture on screen at once; frames change in
 * one step, when all visible ones of the new sequence can be drawn.
 */
export interface Scene {
  /** Undefined while no event is chosen. A picture of another event never stays on screen. */
  readonly eventId: string | undefined;
  /** Undefined: nothing is drawn. */
  readonly sequence: number | undefined;
  /** In drawing order, bottom first; at most one a product. */
  readonly layers: readonly SceneLayer[];
  readonly palette: PaletteId;
  /** Frames wanted soon, most urgent first; those of `layers` come before them by themselves. */
  readonly prefetch: readonly FrameRef[];
}

/** The picture that really is on screen. */
export interface DrawnPicture {
  readonly eventId: string;
  readonly sequence: number;
  /** The layers on screen, bottom first; empty when all are hidden, failed or not delivered. */
  readonly layers: readonly ProductId[];
  /** Visible layers whose frame could not be loaded; the others were drawn without them. */
  readonly failed: readonly ProductId[];
}

/** Where a frame stands. "evicted" frames were ready and will be loaded again when asked for. */
export type FrameState =
  | { readonly status: "loading" | "ready" | "evicted" }
  /** `message` is a sentence for a person. It is tried again at `retryAtMs` (as `performance.now()` counts). */
  | { readonly status: "failed"; readonly message: string; readonly retryAtMs: number };

/** What the frame cache holds, index or colour bytes in memory and on the GPU together. */
export interface CacheUse {
  readonly usedBytes: number;
  readonly budgetBytes: number;
  readonly frames: number;
}

/** A point of the map that the person points at. */
export interface MapPointer {
  readonly source: "pointer" | "crosshair";
  readonly coordinate: Coordinate;
  /** From the left and top edge of the map's container, in CSS pixels. */
  readonly xPx: number;
  readonly yPx: number;
}

/** A place to be marked by name. */
export interface MapPlace {
  readonly name: string;
  readonly coordinate: Coordinate;
}

export interface MapView {
  readonly center: Coordinate;
  readonly zoom: number;
  /** What is in view. */
  readonly bounds: Bounds;
}

/** What a layer of the picture on screen says at a point. */
export type ProbeReading = {
  readonly id: ProductId;
  /** The frame that was read; undefined where no frame was there to be read. */
  readonly frame: FrameRef | undefined;
} & ProbeAnswer;

export type ProbeAnswer =
  /** In `unit`: `from <= value < to`; `to` is undefined for the class that is open above. */
  | {
      readonly kind: "class";
      readonly from: number;
      readonly to: number | undefined;
      readonly unit: string;
      /** The colour on screen before opacity, `#rrggbb`, so that the probe's swatch is the map's. */
      readonly color: string;
    }
  /** Inside radar coverage: below the first class, or no echo. */
  | { readonly kind: "below-first"; readonly firstEdge: number; readonly unit: string }
  | { readonly kind: "outside-coverage" }
  /** Nothing is drawn here, and the frame does not say whether a radar sees this place. */
  | { readonly kind: "unexplained" }
  /** A picture without a class table, of another service: it has colours and no classes. */
  | { readonly kind: "no-classes" }
  | { readonly kind: "not-delivered" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "loading" };

/** What the map tells the app. Each is called outside rendering, never from inside a method of the map. */
export interface StormMapEvents {
  /** After the repaint in which this picture, whole, is on screen; undefined when none is. */
  onDrawn(drawn: DrawnPicture | undefined): void;
  onFrameState(imageUrl: string, state: FrameState): void;
  /** Undefined when the pointer has left the map. */
  onPointer(pointer: MapPointer | undefined): void;
  onCache(use: CacheUse): void;
  /** After each movement and change of size. */
  onView(view: MapView): void;
  /**
   * The map itself is in trouble, in a sentence for a person: no WebGL 2, lost context, background not loaded. Undefined when
   * it is well again.
   */
  onProblem(message: string | undefined): void;
}

/**
 * What the app may ask of the map (`StormMap` in storm-map.ts): `new StormMap(container, events)`.
 * All methods may be called before the map has loaded.
 */
export interface StormMapControl {
  setScene(scene: Scene): void;
  /** One reading a visible layer, in drawing order, of the picture on screen; all "loading" while there is none but should be. */
  readProbe(longitudeDeg: number, latitudeDeg: number): ProbeReading[];
  /** Whether each of these frames could be drawn in the next repaint. */
  isReady(imageUrls: readonly string[]): boolean;
  flyTo(coordinate: Coordinate, zoom?: number): void;
  /** Shows all of `bounds`; at once where the person prefers reduced motion, as every movement. */
  fitBounds(bounds: Bounds): void;
  /** Shows this very view at once: where the person was when they left. */
  showView(view: Pick<MapView, "center" | "zoom">): void;
  zoomIn(): void;
  zoomOut(): void;
  /** Moves the map by whole CSS pixels: right and down are positive. */
  panBy(xPx: number, yPx: number): void;
  /** Marks a place, in place of the one marked before; undefined marks none. */
  setPlace(place: MapPlace | undefined): void;
  /** Shows the crosshair in the middle of the map; while shown, `onPointer` follows it. */
  setCrosshair(shown: boolean): void;
  /** Tell it when the container's size changed without the window's. */
  resize(): void;
  /** Ends everything the map holds. Later calls do nothing. */
  close(): void;
}
