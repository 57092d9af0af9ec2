// The types between the app and the map: the scene that the app sets, and the facts that the map reports.
// step-rule.ts turns a scene into a picture.
import type { Bounds, Coordinate, ProductId } from "../../shared/contract/index.ts";
import type { AnalysisPaletteId } from "../../shared/analysis/analysis-colors.ts";
import type { OwnTables } from "../../shared/products/color-tables/layer-colors.ts";
import type { PaletteId } from "../../shared/products/palettes.ts";
import type { MapTheme } from "../basemap/ground-parts.ts";
import type { FrameRef } from "../frames/frame-ref.ts";

/** The colors of a layer, and which of its classes are drawn. */
export interface Coloring {
  /**
   * "published" keeps the colors of the PNG: those of another service, whose meaning is unknown. The last ones are for
   * what is made of frames, and for the storm under it.
   */
  readonly palette: PaletteId | "published" | AnalysisPaletteId;
  /** Tables of the person's own, which replace a palette of ours for their layer. */
  readonly ownTables?: OwnTables | undefined;
  /** The theme of the ground. Colors of the PNG are the same in both. */
  readonly theme: MapTheme;
  /**
   * Lower edge of the first class that is drawn, or size of the smallest change, in the product's unit; undefined draws
   * all.
   */
  readonly showFrom: number | undefined;
  /** True if a light line surrounds everything drawn, instead of the contours. */
  readonly isEdged?: boolean | undefined;
}

export interface SceneLayer {
  readonly id: ProductId;
  /** Undefined if the revision has no frame of this layer: draws nothing and probes as "not-delivered". */
  readonly frame: FrameRef | undefined;
  readonly visible: boolean;
  /** 0 to 1. */
  readonly opacity: number;
  readonly coloring: Coloring;
  /** The side of the swipe line on which it is drawn; undefined draws it on both. */
  readonly side?: SwipeSide | undefined;
}

export type SwipeSide = "left" | "right";

/**
 * A frame drawn among the layers, such as a difference, a swath, or another revision beside the line. No step waits for
 * it.
 */
export interface SceneOverlay {
  /** The same id is the same overlay with another frame. */
  readonly id: string;
  readonly frame: FrameRef;
  readonly opacity: number;
  readonly coloring: Coloring;
  /** Draws it directly over this layer; undefined draws it under all. */
  readonly over: ProductId | undefined;
  readonly side: SwipeSide | undefined;
  /** True if its last frame stays until this one can be drawn; else nothing is drawn meanwhile. */
  readonly stays: boolean;
}

/**
 * Everything that the map should show. Visibility, opacity, order and colors apply to the picture on screen at once.
 * Frames change in one step, when all visible ones of the new sequence can be drawn.
 */
export interface Scene {
  /** Undefined while no event is chosen. A picture of another event never stays on screen. */
  readonly eventId: string | undefined;
  /** Undefined draws nothing. */
  readonly sequence: number | undefined;
  /** In drawing order, bottom first; at most one per product. */
  readonly layers: readonly SceneLayer[];
  readonly overlays: readonly SceneOverlay[];
  /** Place of the swipe line across the map, 0 to 1; undefined without one. */
  readonly swipe: number | undefined;
  /** Frames wanted soon, most urgent first. Those of `layers` always come before them. */
  readonly prefetch: readonly FrameRef[];
}

/** The picture on screen. */
export interface DrawnPicture {
  readonly eventId: string;
  readonly sequence: number;
  /** The layers on screen, bottom first; empty if all are hidden, failed or not delivered. */
  readonly layers: readonly ProductId[];
  /** Visible layers whose frame could not be loaded; the others were drawn without them. */
  readonly failed: readonly ProductId[];
  /** The frame of each overlay on screen, by its id. */
  readonly overlays: Readonly<Record<string, string>>;
}

/** State of a frame. "evicted" frames were ready and are loaded again when wanted. */
export type FrameState =
  | { readonly status: "loading" | "ready" | "evicted" }
  /** `message` is a sentence for a person. The retry is due at `retryAtMs`, on the clock of `performance.now()`. */
  | { readonly status: "failed"; readonly message: string; readonly retryAtMs: number };

/** Contents of the frame cache: bytes in memory and on the GPU together. */
export interface CacheUse {
  readonly usedBytes: number;
  readonly budgetBytes: number;
  readonly frames: number;
}

/** The point of the map under the pointer or the crosshair, or the one pinned. */
export interface MapPointer {
  readonly source: "pointer" | "crosshair" | "pin";
  readonly coordinate: Coordinate;
  /** From the left and top edge of the map's container, in CSS pixels. */
  readonly xPx: number;
  readonly yPx: number;
  /** True if another map points here. */
  readonly isGuest?: boolean;
}

/** A point that another map gives: a place, or a spot as shares of width and height from the left and top edge. */
export type GuestPoint = { readonly source: "pointer" | "crosshair" } & (
  | { readonly coordinate: Coordinate }
  | { readonly spot: readonly [across: number, down: number] }
);

/** A place to be marked by name. */
export interface MapPlace {
  readonly name: string;
  readonly coordinate: Coordinate;
}

/** A small map on screen that nobody moves, or one off screen, of which pictures are taken. */
export type FixedMap = "preview" | StillOptions;

export interface StillOptions {
  /** Pixels of the picture for each CSS pixel of the container. */
  readonly pixelRatio: number;
  /** False draws only the storm and the pins, transparent elsewhere. */
  readonly hasGround: boolean;
}

export interface MapView {
  readonly center: Coordinate;
  readonly zoom: number;
  /** The visible area. */
  readonly bounds: Bounds;
}

/** The answer of one layer of the picture on screen at a point. */
export type ProbeReading = {
  readonly id: ProductId;
  /** The frame that was read; undefined if there was none. */
  readonly frame: FrameRef | undefined;
} & ProbeAnswer;

/** The answer of one overlay on screen at a point. */
export type OverlayReading = { readonly id: string } & ProbeAnswer;

export type ProbeAnswer =
  /** `from <= value < to`, in `unit`; `to` is undefined for the class that is open above. */
  | {
      readonly kind: "class";
      readonly from: number;
      readonly to: number | undefined;
      readonly unit: string;
      /** Color on screen before opacity, `#rrggbb`: the probe's swatch matches the map. */
      readonly color: string;
      /** True if the person hides this class: the map draws nothing here. */
      readonly hidden: boolean;
      /** The value is the highest within this distance; undefined if it is that of the cell at the point. */
      readonly withinKm: number | undefined;
    }
  /** Inside radar coverage: below the first class, or no echo. */
  | { readonly kind: "below-first"; readonly firstEdge: number; readonly unit: string }
  | { readonly kind: "outside-coverage" }
  /** Nothing is drawn here, and the frame carries no coverage. */
  | { readonly kind: "unexplained" }
  /** A picture from another service, with colors but without a class table. */
  | { readonly kind: "no-classes" }
  | { readonly kind: "not-delivered" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "loading" };

/** Reports of the map to the app. Each is called outside rendering, never from inside a method of the map. */
export interface StormMapEvents {
  /** Called after the repaint that put this picture on screen; undefined if no picture is. */
  onDrawn(drawn: DrawnPicture | undefined): void;
  onFrameState(imageUrl: string, state: FrameState): void;
  /** Undefined when the pointer has left the map. */
  onPointer(pointer: MapPointer | undefined): void;
  /** Called when the pinned point moves on the screen; undefined when it is unpinned. */
  onPin(pin: MapPointer | undefined): void;
  /** Called for a click on the map that moved nothing. */
  onPress(point: MapPointer): void;
  onCache(use: CacheUse): void;
  /** Called after each movement and change of size. */
  onView(view: MapView): void;
  /** Called during each movement; `isByHand` is false for one that the app asked for, or that a new size caused. */
  onMove(view: Pick<MapView, "center" | "zoom">, isByHand: boolean): void;
  /** A problem of the map itself, in a sentence for a person; undefined when it is solved. */
  onProblem(message: string | undefined): void;
  /** Why the user's own map file is not shown, or not whole, in a sentence for a person. */
  onUserMapProblem(message: string): void;
}
