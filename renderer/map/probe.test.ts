import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Bounds } from "../../shared/contract/index.ts";
import { latitudeOfY, mercatorY } from "../../shared/geo/mercator.ts";
import type { IndexedFrame } from "../frames/decoded-frame.ts";
import type { Coloring } from "./scene.ts";
import { findIndex, probeFrame, type ProbePoint } from "./probe.ts";

const bounds: Bounds = [-100, 30, -90, 45];
const coloring: Coloring = { palette: "published", theme: "dark", showFrom: undefined };
const widthPx = 40;
const heightPx = 80;
const indices = Uint8Array.from({ length: widthPx * heightPx }, (_, at) => (at * 17) % 4);

function createFrame(change: Partial<IndexedFrame> = {}): IndexedFrame {
  return {
    kind: "indexed",
    widthPx,
    heightPx,
    grid: { kind: "raw", widthPx, heightPx, indices },
    coarser: [],
    echo: undefined,
    palette: Uint8Array.from({ length: 1024 }, (_, at) => at & 0xff),
    classes: { product: "mrms-reflectivity", unit: "dBZ", edges: [5, 10, 15] },
    coverage: {
      // The western half of twice the frame's width is seen by radars.
      bounds: [-110, 30, -90, 45],
      width: 2,
      height: 1,
      bits: Uint8Array.of(0b1000_0000),
    },
    ...change,
  };
}

function centerOf(row: number, column: number): ProbePoint {
  const [west, south, east, north] = bounds;
  const top = mercatorY(north);
  const y = top + ((row + 0.5) / heightPx) * (mercatorY(south) - top);
  const longitudeDeg = west + ((column + 0.5) / widthPx) * (east - west);
  return { longitudeDeg, latitudeDeg: latitudeOfY(y), pixelDeg: 0 };
}

describe("the probe", () => {
  test("finds the cell that is drawn at a point, rows being equal steps of Mercator y", () => {
    fc.assert(
      fc.property(fc.nat(heightPx - 1), fc.nat(widthPx - 1), (row, column) => {
        expect(findIndex(createFrame(), bounds, centerOf(row, column), 0)).toBe(
          indices[row * widthPx + column],
        );
      }),
      { seed: 4, numRuns: 300 },
    );
  });

  test("gives a class as a range with its color, hidden or not, and the last one open above", () => {
    const at = (index: number, showFrom?: number): ReturnType<typeof probeFrame> => {
      const cell = indices.indexOf(index);
      return probeFrame(createFrame(), bounds, centerOf(Math.floor(cell / widthPx), cell % widthPx), {
        ...coloring,
        showFrom,
      });
    };
    expect(at(1)).toEqual({
      kind: "class",
      from: 5,
      to: 10,
      unit: "dBZ",
      color: "#040506",
      hidden: false,
      withinKm: undefined,
    });
    expect(at(3)).toMatchObject({ from: 15, to: undefined });
    expect(at(1, 10)).toMatchObject({ from: 5, to: 10, color: "#040506", hidden: true });
    expect(at(2, 10)).toMatchObject({ from: 10, hidden: false });
  });

  test("reads the highest class around the point where a pixel is larger than a cell, and says how far", () => {
    const lone = new Uint8Array(indices.length);
    lone[40 * widthPx + 20] = 2;
    const frame = createFrame({ grid: { kind: "raw", widthPx, heightPx, indices: lone } });
    const cellDeg = 10 / widthPx;
    const read = (row: number, column: number, pixelDeg: number): ReturnType<typeof probeFrame> =>
      probeFrame(frame, bounds, { ...centerOf(row, column), pixelDeg }, coloring);
    const near = read(43, 17, 3 * cellDeg);
    expect(near).toMatchObject({ kind: "class", from: 10 });
    // Three cells of a quarter of a degree at 37 degrees north.
    expect(near).toHaveProperty("withinKm", expect.closeTo(66.4, 1));
    expect(read(44, 17, 3 * cellDeg)).toMatchObject({ kind: "outside-coverage" });
    expect(read(41, 20, cellDeg)).toMatchObject({ kind: "outside-coverage" });
    expect(read(40, 20, cellDeg)).toMatchObject({ from: 10, withinKm: undefined });
    expect(read(0, 0, 100)).toMatchObject({ from: 10 });
  });

  test("distinguishes no echo from no coverage, inside the picture and beyond its crop", () => {
    const empty = createFrame({
      grid: { kind: "raw", widthPx, heightPx, indices: new Uint8Array(indices.length) },
    });
    const read = (longitudeDeg: number, latitudeDeg: number): string =>
      probeFrame(empty, bounds, { longitudeDeg, latitudeDeg, pixelDeg: 0 }, coloring).kind;
    expect(read(-95, 40)).toBe("outside-coverage");
    expect(read(-105, 40)).toBe("below-first");
    expect(read(-120, 40)).toBe("outside-coverage");
    expect(read(-105, 50)).toBe("outside-coverage");
  });

  test("reports an empty place as unexplained if the frame has no coverage", () => {
    const frame = createFrame({ coverage: undefined });
    expect(probeFrame(frame, bounds, { longitudeDeg: 0, latitudeDeg: 0, pixelDeg: 0 }, coloring)).toEqual({
      kind: "unexplained",
    });
  });

  test("claims no class for a picture without a class table, or beyond it", () => {
    const point = centerOf(0, 1);
    const foreign = createFrame({ classes: undefined });
    expect(probeFrame(foreign, bounds, point, coloring)).toEqual({ kind: "no-classes" });
    const beyond = createFrame({
      grid: { kind: "raw", widthPx, heightPx, indices: new Uint8Array(indices.length).fill(200) },
    });
    expect(probeFrame(beyond, bounds, point, coloring)).toEqual({ kind: "no-classes" });
    const color = { kind: "color", widthPx, heightPx, tiles: [] } as const;
    expect(probeFrame(color, bounds, point, coloring)).toEqual({ kind: "no-classes" });
  });
});
