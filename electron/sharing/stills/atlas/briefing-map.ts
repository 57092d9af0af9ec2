// The base map file of stills: land, boundary lines, places and glyph outlines. Its types, and the packing of lines;
// electron/build writes the file, load-map.ts reads it.

export const lineKinds = ["county", "coast", "border", "state"] as const;
export type LineKind = (typeof lineKinds)[number];

/** Alternating longitude and latitude in 1/10,000 degree, each as the difference from the one before. */
export type PackedLine = readonly number[];

export interface PlaceColumns {
  readonly name: readonly string[];
  /** A state's postal code, or a country's name. */
  readonly region: readonly string[];
  readonly population: readonly number[];
  readonly longitudeE4: readonly number[];
  readonly latitudeE4: readonly number[];
}

/** Advance, and outline as SVG path data; in font units, y down from the baseline. */
export type Glyph = readonly [advance: number, path: string];

export interface FontOutlines {
  readonly unitsPerEm: number;
  /** Keys are characters. */
  readonly glyphs: Readonly<Record<string, Glyph>>;
}

export const fontWeights = ["medium", "semibold"] as const;
export type FontWeight = (typeof fontWeights)[number];

export interface BriefingMapFile {
  readonly version: 1;
  readonly lines: Readonly<Record<LineKind, readonly PackedLine[]>>;
  /** Closed outer rings; lakes abroad are filled. */
  readonly land: { readonly us: readonly PackedLine[]; readonly abroad: readonly PackedLine[] };
  /** Most important first. */
  readonly places: PlaceColumns;
  readonly fonts: Readonly<Record<FontWeight, FontOutlines>>;
}

export function packLine(line: readonly (readonly number[])[]): PackedLine {
  let [x, y] = [0, 0];
  return line.flatMap(([longitude, latitude]) => {
    const [nextX, nextY] = [Math.round(longitude! * 1e4), Math.round(latitude! * 1e4)];
    const step = [nextX - x, nextY - y];
    [x, y] = [nextX, nextY];
    return step;
  });
}

/** Returns degrees, longitude first. */
export function unpackLine(packed: PackedLine): [number, number][] {
  const line: [number, number][] = [];
  let [x, y] = [0, 0];
  for (let at = 0; at + 1 < packed.length; at += 2) {
    x += packed[at]!;
    y += packed[at + 1]!;
    line.push([x / 1e4, y / 1e4]);
  }
  return line;
}
