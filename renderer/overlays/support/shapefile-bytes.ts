// Writes small Shapefiles for tests, after the ESRI Shapefile Technical Description (1998) and dBASE III.
import { zipSync, strToU8, type Zippable } from "fflate";

export type Places = readonly (readonly [number, number])[];

const header = (type: number, byteLength: number): Uint8Array => {
  const bytes = new Uint8Array(100);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, 9994);
  view.setInt32(24, byteLength / 2);
  view.setInt32(28, 1000, true);
  view.setInt32(32, type, true);
  return bytes;
};

/** Writes polygons of one ring each. */
export function writePolygons(rings: readonly Places[]): Uint8Array {
  const records = rings.map((ring, index) => {
    const length = 48 + 16 * ring.length;
    const bytes = new Uint8Array(8 + length);
    const view = new DataView(bytes.buffer);
    view.setInt32(0, index + 1);
    view.setInt32(4, length / 2);
    view.setInt32(8, 5, true);
    view.setInt32(44, 1, true);
    view.setInt32(48, ring.length, true);
    ring.flat().forEach((value, at) => {
      view.setFloat64(56 + 8 * at, value, true);
    });
    return bytes;
  });
  const parts = [header(5, 100 + records.reduce((sum, { length }) => sum + length, 0)), ...records];
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

/** Writes a table of texts, ten characters for a name and twenty for a value. */
export function writeTable(columns: readonly string[], rows: readonly (readonly string[])[]): Uint8Array {
  const headBytes = 33 + 32 * columns.length;
  const rowBytes = 1 + 20 * columns.length;
  const bytes = new Uint8Array(headBytes + rowBytes * rows.length + 1).fill(32, headBytes);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, 3);
  view.setUint32(4, rows.length, true);
  view.setUint16(8, headBytes, true);
  view.setUint16(10, rowBytes, true);
  columns.forEach((column, index) => {
    bytes.set(strToU8(column), 32 + 32 * index);
    view.setUint8(32 + 32 * index + 11, "C".charCodeAt(0));
    view.setUint8(32 + 32 * index + 16, 20);
  });
  bytes[headBytes - 1] = 13;
  rows.forEach((row, at) => {
    row.forEach((value, index) => {
      bytes.set(strToU8(value), headBytes + at * rowBytes + 1 + 20 * index);
    });
  });
  return bytes;
}

export function zip(files: Zippable): Uint8Array {
  return zipSync(files);
}
