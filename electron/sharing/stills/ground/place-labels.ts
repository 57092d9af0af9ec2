// Chooses and places the names on a still's map: the most important first, each only where it has room.
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import type { MapPlace } from "../atlas/load-map.ts";
import { colors } from "../still-look.ts";
import type { MapView } from "./map-view.ts";
import type { TextSize, Typesetter } from "./typesetter.ts";

export interface LabelRequest {
  /** Most important first. */
  readonly places: readonly MapPlace[];
  readonly view: MapView;
  readonly typesetter: Typesetter;
  /** Occupied boxes, `[left, top, right, bottom]` in pixels. */
  readonly taken: readonly Bounds[];
  /** Size; 1 is that of a briefing's still. */
  readonly scale: number;
}

const mostPlaceLabels = 24;
/** Least distance between labels, in pixels at scale 1, as all sizes here. */
const spacing = { across: 36, down: 18 };
const large = { sizePx: 23, weight: "semibold" } as const;
const small = { sizePx: 20, weight: "medium" } as const;
const largePopulation = 250_000;
const dotPx = 4;
const gapPx = 9;

export function placeLabels({ places, view, typesetter, taken, scale }: LabelRequest): {
  readonly svg: string;
  readonly places: readonly MapPlace[];
} {
  const boxes = [...taken];
  const labeled: MapPlace[] = [];
  const svg: string[] = [];
  const [west, south, east, north] = view.bounds;
  for (const place of places) {
    if (labeled.length === mostPlaceLabels) break;
    if (place.longitude < west || place.longitude > east) continue;
    if (place.latitude < south || place.latitude > north) continue;
    const [x, y] = view.toPx(place.longitude, place.latitude);
    const named = place.population >= largePopulation ? large : small;
    const size: TextSize = { ...named, sizePx: named.sizePx * scale };
    const mark: Mark = { x, y, size, scale };
    const width = typesetter.measure(place.name, size);
    const side = (["right", "left"] as const).find((candidate) => {
      const box = boxOf(mark, width, candidate);
      return isInside(box, view) && !boxes.some((other) => meets(box, other));
    });
    if (!side) continue;
    const [left, top, right, bottom] = boxOf(mark, width, side);
    const [across, down] = [spacing.across * scale, spacing.down * scale];
    boxes.push([left - across, top - down, right + across, bottom + down]);
    labeled.push(place);
    svg.push(drawLabel(place.name, mark, side, typesetter));
  }
  return { svg: svg.join(""), places: labeled };
}

interface Mark {
  readonly x: number;
  readonly y: number;
  readonly size: TextSize;
  readonly scale: number;
}

type Side = "left" | "right";

function drawLabel(name: string, { x, y, size, scale }: Mark, side: Side, typesetter: Typesetter): string {
  const dot = `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${dotPx * scale}" fill="${colors.text}" stroke="${colors.casing}" stroke-width="${2.5 * scale}"/>`;
  const gap = gapPx * scale;
  const text = typesetter.set(name, side === "right" ? x + gap : x - gap, y + size.sizePx * 0.36, {
    ...size,
    fill: colors.text,
    anchor: side === "right" ? "start" : "end",
    halo: { color: colors.casing, widthPx: 3 * scale },
  });
  return dot + text;
}

function boxOf({ x, y, size: { sizePx }, scale }: Mark, width: number, side: Side): Bounds {
  const [dot, gap] = [dotPx * scale, gapPx * scale];
  const [left, right] = side === "right" ? [x - dot, x + gap + width] : [x - gap - width, x + dot];
  return [left, y - sizePx * 0.6, right, y + sizePx * 0.6];
}

function isInside([left, top, right, bottom]: Bounds, { widthPx, heightPx }: MapView): boolean {
  return left >= 8 && top >= 6 && right <= widthPx - 8 && bottom <= heightPx - 6;
}

function meets(a: Bounds, b: Bounds): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}
