// Frames as planes of cells, read the slow and plain way: every byte of the PNG, every cell of the whole grid. Shares
// no code with the program, whose answers it checks.
import { inflateSync } from "node:zlib";

export interface NaivePlane {
  readonly columns: number;
  readonly rows: number;
  /** West and north edge, and the size of a cell, in millionths of a degree. */
  readonly west: number;
  readonly north: number;
  readonly cell: number;
  /** A palette index for each cell of the whole grid, row by row from the northwest. */
  readonly indices: Uint8Array;
  /** 1 for each cell whose center radars see. */
  readonly covered: Uint8Array;
  readonly edges: readonly number[];
  /** Equal texts for frames that can be compared cell by cell, unless one draws nothing. */
  readonly ground: string;
  readonly drawsNothing: boolean;
}

export interface NaivePng {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** Content of chunks by type; texts by keyword. */
  readonly chunks: ReadonlyMap<string, Buffer>;
}

/** Reads a PNG of one byte per pixel. */
export function readNaivePng(png: Buffer): NaivePng {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const content = png.subarray(at + 8, at + 8 + length);
    const key = type === "iTXt" ? content.toString("latin1", 0, content.indexOf(0)) : type;
    chunks.set(key, Buffer.concat([chunks.get(key) ?? Buffer.alloc(0), content]));
    at += 12 + length;
  }
  const header = chunks.get("IHDR")!;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  return { width, height, pixels: unfilter(inflateSync(chunks.get("IDAT")!), width, height), chunks };
}

function unfilter(bytes: Buffer, width: number, height: number): Uint8Array {
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    const filter = bytes[row * (width + 1)]!;
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      const left = column > 0 ? pixels[at - 1]! : 0;
      const above = row > 0 ? pixels[at - width]! : 0;
      if (filter > 2) throw new Error(`a frame has filter ${filter}`);
      const prediction = filter === 1 ? left : filter === 2 ? above : 0;
      pixels[at] = bytes[row * (width + 1) + 1 + column]! + prediction;
    }
  }
  return pixels;
}

/** Returns the JSON of a text chunk. */
export function readText(png: NaivePng, keyword: string): unknown {
  const content = png.chunks.get(keyword)!;
  return JSON.parse(content.toString("utf8", content.indexOf("{")));
}

const toUnits = (degrees: number): number => Math.round(degrees * 1e6);

/** @param cell size of a cell in millionths of a degree @param bounds outer edges of the picture */
export function toNaivePlane(bytes: Buffer, bounds: readonly number[], cell: number): NaivePlane {
  const png = readNaivePng(bytes);
  const { edges, ...named } = readText(png, "echotop:classes") as { edges: number[]; product: string };
  const coverage = readText(png, "echotop:coverage") as {
    bounds: [number, number, number, number];
    width: number;
    height: number;
    bits: string;
  };
  const [wholeWest, wholeSouth, wholeEast, wholeNorth] = coverage.bounds.map(toUnits) as [
    number,
    number,
    number,
    number,
  ];
  const columns = Math.ceil((wholeEast - wholeWest) / cell);
  const rows = Math.ceil((wholeNorth - wholeSouth) / cell);
  const drawsNothing = png.width === 1 && png.height === 1 && png.pixels[0] === 0;
  const indices = new Uint8Array(columns * rows);
  if (!drawsNothing) placePixels(png, bounds, { indices, columns, west: wholeWest, north: wholeNorth, cell });
  const covered = new Uint8Array(columns * rows);
  const bits = inflateSync(Buffer.from(coverage.bits, "base64"));
  const [stepX, stepY] = [
    (wholeEast - wholeWest) / coverage.width,
    (wholeNorth - wholeSouth) / coverage.height,
  ];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const bit =
        Math.floor(((row + 0.5) * cell) / stepY) * coverage.width +
        Math.floor(((column + 0.5) * cell) / stepX);
      covered[row * columns + column] = (bits[bit >> 3]! >> (7 - (bit & 7))) & 1;
    }
  }
  const size = [coverage.bounds, coverage.width, coverage.height];
  return {
    ...{ columns, rows, west: wholeWest, north: wholeNorth, cell, indices, covered, edges, drawsNothing },
    ground: JSON.stringify([edges, named, size, cell]),
  };
}

interface Target {
  readonly indices: Uint8Array;
  readonly columns: number;
  readonly west: number;
  readonly north: number;
  readonly cell: number;
}

/** Gives each pixel to the cell under its center. */
function placePixels(
  { width, height, pixels }: NaivePng,
  bounds: readonly number[],
  { indices, columns, west, north, cell }: Target,
): void {
  const toY = (latitude: number): number => Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 180 / 2));
  const [top, bottom] = [toY(bounds[3]!), toY(bounds[1]!)];
  const firstColumn = (toUnits(bounds[0]!) - west) / cell;
  for (let y = 0; y < height; y++) {
    const center = top + ((y + 0.5) / height) * (bottom - top);
    const latitude = ((2 * Math.atan(Math.exp(center)) - Math.PI / 2) * 180) / Math.PI;
    const row = Math.floor((north - latitude * 1e6) / cell);
    for (let x = 0; x < width; x++) indices[row * columns + firstColumn + x] = pixels[y * width + x]!;
  }
}
