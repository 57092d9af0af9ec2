// The model of an overlay: warnings, reports and a person's own files, which lie over the storm and have their times.
import type { Bounds, Coordinate } from "../contract/primitives.ts";
import type { StormReport } from "../reports/storm-report.ts";

/** Files beyond these are refused, never cut. */
export const overlayLimits = {
  bytes: 5 * 1024 * 1024,
  /** Bytes of everything inside an archive. */
  unpackedBytes: 32 * 1024 * 1024,
  shapes: 20_000,
  points: 1_000_000,
  textLength: 4_000,
} as const;

export const overlayFormats = [
  "placefile",
  "geojson",
  "kml",
  "kmz",
  "shapefile",
  "nws-alerts",
  "warnings",
  "reports-csv",
  "reports-geojson",
] as const;
export type OverlayFormat = (typeof overlayFormats)[number];

/** Decides with the times of a shape whether it belongs to the picture on screen. */
export type TimeRule =
  /** Between the shape's own times, both included. */
  | { readonly kind: "valid-at" }
  /** The shape's own times touch the minutes before the observed time, which is included. */
  | { readonly kind: "within"; readonly minutes: 15 | 30 | 60 }
  /** The file has no times. */
  | { readonly kind: "always" }
  /** It is about the present: hidden unless the newest picture is on screen and nothing is held back. */
  | { readonly kind: "now" };

export type OverlayGeometry =
  | { readonly type: "Point"; readonly coordinates: Coordinate }
  | { readonly type: "LineString"; readonly coordinates: readonly Coordinate[] }
  | { readonly type: "Polygon"; readonly coordinates: readonly (readonly Coordinate[])[] };

export interface OverlayStyle {
  /** `#rrggbb` or `#rrggbbaa`; undefined draws in the overlay's own color. */
  readonly color?: string | undefined;
  /** Width of a line in CSS pixels; 0 draws none, around an area too. */
  readonly widthPx?: number | undefined;
  /** Fill of an area; undefined draws its outline alone. */
  readonly fill?: string | undefined;
  /** The label of a point stands alone, its middle at the place, without a mark. */
  readonly mark?: "none" | undefined;
  /** Middle of a point's label, in CSS pixels right of and above its place. */
  readonly labelOffsetPx?: readonly [right: number, up: number] | undefined;
  /** Height of a point's label in CSS pixels. */
  readonly labelPx?: number | undefined;
}

export interface OverlayShape {
  readonly geometry: OverlayGeometry;
  /** Milliseconds since 1970 UTC, both included; undefined is open, and both undefined is a shape without times. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** Words beside the shape, one line. */
  readonly label?: string | undefined;
  /** Words for a person who points at the shape; plain text of at most `textLength` characters. */
  readonly text?: string | undefined;
  readonly style?: OverlayStyle | undefined;
  /** Shown only where the mean of the map's width and height is at most so many nautical miles, for placefiles. */
  readonly thresholdNm?: number | undefined;
  /** The official warning that the shape is. */
  readonly warning?: OverlayWarning | undefined;
  /** The report that the shape is, always a point. */
  readonly report?: StormReport | undefined;
}

export const warningKinds = [
  "tornado",
  "severe-thunderstorm",
  "flash-flood",
  "special-marine",
  "other",
] as const;
export type WarningKind = (typeof warningKinds)[number];

export interface OverlayWarning {
  readonly kind: WarningKind;
  /** The event in the words of the issuer, such as `Tornado Warning`. */
  readonly title: string;
  /** The office that issued it. */
  readonly office?: string | undefined;
}

/** The content of one file: what every reader returns. */
export interface OverlayContent {
  readonly format: OverlayFormat;
  /** The title in the file, if it has one. */
  readonly title?: string | undefined;
  readonly shapes: readonly OverlayShape[];
  /** Parts of the file that are not drawn, each in one sentence, such as icons from an address. */
  readonly notes: readonly string[];
  /** The pace at which a placefile asks to be read again, in seconds. */
  readonly refreshSeconds?: number | undefined;
  /** Undefined without shapes. */
  readonly bounds?: Bounds | undefined;
}
