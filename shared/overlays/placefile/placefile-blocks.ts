// The statements of a placefile that go on over several lines of places: lines, polygons and triangles.
import type { Coordinate } from "../../contract/primitives.ts";
import type { OverlayShape } from "../overlay.ts";
import { groupRings } from "../reading/rings.ts";
import { toPlainText } from "../reading/plain-text.ts";
import { readNumbers, splitArguments, toColor, unquote } from "./statement.ts";

export type BlockKind = "line" | "polygon" | "triangles" | "image";

interface Block {
  /** Arguments of the statement itself. */
  readonly rest: string;
  readonly rows: readonly string[];
  readonly color: string;
}

interface ReadBlock {
  readonly shapes: readonly OverlayShape[];
  /** False if a row or argument is left out. */
  readonly isRead: boolean;
}

interface Vertex {
  readonly place: Coordinate;
  readonly color: string | undefined;
}

export function readBlock(kind: Exclude<BlockKind, "image">, block: Block): ReadBlock {
  const vertices = block.rows.map(readVertex).filter((vertex) => vertex !== undefined);
  const shapes = readers[kind](vertices, block);
  return { shapes, isRead: vertices.length === block.rows.length && shapes.length > 0 };
}

const readers = { line: toLine, polygon: toPolygons, triangles: toTriangles } as const;

/** Latitude, longitude and perhaps red, green, blue and alpha. */
function readVertex(row: string): Vertex | undefined {
  const numbers = readNumbers(row, 2);
  if (!numbers) return undefined;
  return { place: [numbers[1]!, numbers[0]!], color: toColor(numbers.slice(2)) };
}

function toLine(vertices: readonly Vertex[], { rest, color }: Block): OverlayShape[] {
  if (vertices.length < 2) return [];
  const [width = "", , hover = ""] = splitArguments(rest, 3);
  const widthPx = Number(width) > 0 ? Math.min(Number(width), 20) : undefined;
  const coordinates = vertices.map(({ place }) => place);
  return [
    {
      geometry: { type: "LineString", coordinates },
      text: toPlainText(unquote(hover)),
      style: { color, widthPx },
    },
  ];
}

/** A contour ends where its first place is repeated; one inside another is a hole. */
function toPolygons(vertices: readonly Vertex[], { color }: Block): OverlayShape[] {
  const fill = vertices.find((vertex) => vertex.color)?.color ?? color;
  const rings: Coordinate[][] = [];
  let ring: Coordinate[] = [];
  for (const { place } of vertices) {
    const [first] = ring;
    ring.push(place);
    if (first && isSame(first, place)) {
      rings.push(ring);
      ring = [];
    }
  }
  if (ring.length > 0) rings.push([...ring, ring[0]!]);
  return groupRings(rings.filter(({ length }) => length >= 4)).map((coordinates) =>
    toArea(coordinates, fill),
  );
}

function toTriangles(vertices: readonly Vertex[], { color }: Block): OverlayShape[] {
  return Array.from({ length: Math.floor(vertices.length / 3) }, (_, index) => {
    const corners = vertices.slice(index * 3, index * 3 + 3);
    const fill = corners.find((corner) => corner.color)?.color ?? color;
    const places = corners.map(({ place }) => place);
    return toArea([[...places, places[0]!]], fill);
  });
}

function toArea(coordinates: readonly (readonly Coordinate[])[], fill: string): OverlayShape {
  return { geometry: { type: "Polygon", coordinates }, style: { color: fill, fill, widthPx: 0 } };
}

function isSame(first: Coordinate, second: Coordinate): boolean {
  return first[0] === second[0] && first[1] === second[1];
}
