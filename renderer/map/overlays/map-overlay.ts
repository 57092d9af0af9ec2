// Types of one overlay on the map: the parts that are drawn, and the answer at a point.
import type { OverlayShape } from "../../../shared/overlays/overlay.ts";
import type { StormReport } from "../../../shared/reports/storm-report.ts";

export interface MapOverlay {
  readonly id: string;
  /** Shapes of the moment on screen. */
  readonly shapes: readonly OverlayShape[];
  /** Color of shapes without one of their own, `#rrggbb`. */
  readonly color: string;
  /** False if `color` replaces the colors of the file. */
  readonly hasFileColors: boolean;
  readonly words: ShapeWords;
}

/** Words on the map; another object draws all of them again. */
export interface ShapeWords {
  /** Words beside a shape or along its edge; undefined for none. */
  readonly toLabel: (shape: OverlayShape) => string | undefined;
  /** Sign inside the triangle of a report, at most four characters. */
  readonly toMark: (report: StormReport) => string;
}

export interface ShapeAtPoint {
  readonly overlayId: string;
  readonly shape: OverlayShape;
}
