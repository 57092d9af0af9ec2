// The base map of stills as SVG: land below the storm, lines and names above it.
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import { clipPolygons } from "../../../../shared/geo/clip.ts";
import { boundsMeet, type BriefingMap, type MapLine, type MapPlace } from "../atlas/load-map.ts";
import { colors } from "../still-look.ts";
import type { MapView } from "./map-view.ts";
import { placeLabels } from "./place-labels.ts";
import { toScaleBar } from "./scale-bar.ts";
import type { Typesetter } from "./typesetter.ts";

/** County lines appear from this scale. */
const leastCountyPxPerDeg = 55;

export function toLandSvg(map: BriefingMap, view: MapView): string {
  const fill = (rings: readonly MapLine[], color: string): string =>
    `<path fill="${color}" d="${rings.map((ring) => ringPath(ring, view)).join("")}"/>`;
  // The two atlases disagree slightly about river borders: the seam hides the gaps.
  const seam = `<path fill="none" stroke="${colors.abroad}" stroke-width="6" d="${pathsOf(map.lines.border, view)}"/>`;
  const water = `<rect width="${view.widthPx}" height="${view.heightPx}" fill="${colors.water}"/>`;
  return document(view, [water, fill(map.land.abroad, colors.abroad), seam, fill(map.land.us, colors.land)]);
}

export interface OverlayParts {
  readonly svg: string;
  /** Labeled places, most important first. */
  readonly places: readonly MapPlace[];
}

export interface OverlayRequest {
  readonly map: BriefingMap;
  readonly view: MapView;
  readonly typesetter: Typesetter;
  /** Occupied boxes of the map, `[left, top, right, bottom]` in pixels. */
  readonly taken: readonly Bounds[];
  /** Size of lines and letters; 1 is that of a briefing's still. */
  readonly scale: number;
  /** Left end and baseline of the scale bar, in pixels. */
  readonly scaleBarAt: readonly [x: number, y: number];
}

/** Returns lines, names and scale. */
export function toOverlay({ map, view, typesetter, taken, scale, scaleBarAt }: OverlayRequest): OverlayParts {
  const pxPerDegree = 1 / (view.unitsPerPx * 360);
  const counties =
    pxPerDegree < leastCountyPxPerDeg * scale
      ? ""
      : stroke(map.lines.county, view, { color: colors.county, width: 1.1 * scale, opacity: 0.9 });
  const both = [...map.lines.border, ...map.lines.state];
  const bar = toScaleBar(view, typesetter, { at: scaleBarAt, scale });
  const labels = placeLabels({ places: map.places, view, typesetter, taken: [...taken, bar.box], scale });
  const svg = document(view, [
    counties,
    stroke(map.lines.coast, view, { color: colors.coast, width: 1.2 * scale, opacity: 1 }),
    stroke(both, view, { color: colors.casing, width: 4.5 * scale, opacity: 0.55 }),
    stroke(both, view, { color: colors.line, width: 1.7 * scale, opacity: 0.85 }),
    labels.svg,
    bar.svg,
  ]);
  return { svg, places: labels.places };
}

interface Stroke {
  readonly color: string;
  readonly width: number;
  readonly opacity: number;
}

function stroke(lines: readonly MapLine[], view: MapView, { color, width, opacity }: Stroke): string {
  const style = `stroke="${color}" stroke-width="${width}" stroke-opacity="${opacity}" stroke-linejoin="round"`;
  return `<path fill="none" ${style} d="${pathsOf(lines, view)}"/>`;
}

function pathsOf(lines: readonly MapLine[], view: MapView): string {
  const near = widened(view.bounds);
  return lines
    .filter(({ bounds }) => boundsMeet(bounds, near))
    .map(({ points }) => toPath(points, view))
    .join("");
}

function ringPath({ points, bounds }: MapLine, view: MapView): string {
  const near = widened(view.bounds);
  if (!boundsMeet(bounds, near)) return "";
  const rings = clipPolygons([[points.map((point) => [...point])]], near).flat();
  return rings.map((ring) => `${toPath(ring as [number, number][], view)}Z`).join("");
}

/** Rounds to tenths of a pixel and drops repeated points. */
function toPath(points: MapLine["points"], view: MapView): string {
  let path = "";
  let before = "";
  for (const [longitude, latitude] of points) {
    const [x, y] = view.toPx(longitude, latitude);
    const here = `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
    if (here === before) continue;
    path += `${path === "" ? "M" : "L"}${here}`;
    before = here;
  }
  return path;
}

/** Extends the box by a tenth on each side, so that the rims of clipped shapes stay invisible. */
function widened([west, south, east, north]: Bounds): Bounds {
  const [x, y] = [(east - west) / 10, (north - south) / 10];
  return [west - x, south - y, east + x, north + y];
}

function document({ widthPx, heightPx }: MapView, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">${parts.join("")}</svg>`;
}
