// Small MRMS files with chosen cell values, for tests. The project's own GRIB2 writer makes them; its tests compare
// it with real files.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { encodeGrib2 } from "../pipeline/demo/grib2-writer.ts";
import { mrmsFileName } from "../pipeline/demo/mrms-file.ts";
import type { ProductId } from "../../shared/contract/primitives.ts";
import type { LatLonGrid } from "../../shared/geo/grid.ts";
import { getProduct } from "../../shared/products/registry.ts";

/**
 * Values of the cells in the product's unit, flags among them: an array in row-major order, north row first, or a
 * rule.
 */
export type CellValues = ArrayLike<number> | ((row: number, column: number) => number);

export interface GribDraft {
  readonly product: ProductId;
  /** RFC 3339; whole seconds are written. */
  readonly observedAt: string;
  /** 20 by 10 cells unless given. */
  readonly columns?: number;
  readonly rows?: number;
  /** Outer edges in microdegrees, on whole cells; 98 W and 36 N unless given. */
  readonly westUdeg?: number;
  readonly northUdeg?: number;
  /** 10,000 unless given. */
  readonly spacingUdeg?: number;
  /** Values of the cells, to a tenth; `fill` by default. */
  readonly values?: CellValues;
  /** The value of every cell; the product's "missing" flag by default. */
  readonly fill?: number;
}

export interface GribFileDraft extends GribDraft {
  /** True, the default, to gzip the message as the feed does. */
  readonly gzip?: boolean;
  /** The file name; that of the feed by default. */
  readonly name?: string;
}

/** Returns the grid of a draft. */
export function gridOf(draft: Omit<GribDraft, "product" | "observedAt">): LatLonGrid {
  const spacing = draft.spacingUdeg ?? 10_000;
  return {
    columns: draft.columns ?? 20,
    rows: draft.rows ?? 10,
    westUdeg: draft.westUdeg ?? -98_000_000,
    northUdeg: draft.northUdeg ?? 36_000_000,
    spacingXUdeg: spacing,
    spacingYUdeg: spacing,
  };
}

/** Returns a GRIB2 message, not compressed. @throws RangeError if an array of values does not fit the grid */
export function makeGribMessage(draft: GribDraft): Uint8Array {
  const product = getProduct(draft.product);
  const grid = gridOf(draft);
  const { columns, rows } = grid;
  const { values } = draft;
  const fill = draft.fill ?? product.flags.missing;
  if (values !== undefined && typeof values !== "function" && values.length !== columns * rows) {
    throw new RangeError(`${values.length} values for ${columns} by ${rows} cells`);
  }
  const tenths = new Int16Array(columns * rows);
  for (let cell = 0; cell < tenths.length; cell++) {
    const value =
      typeof values === "function"
        ? values(Math.floor(cell / columns), cell % columns)
        : (values?.[cell] ?? fill);
    tenths[cell] = Math.round(value * 10);
  }
  return encodeGrib2({ identity: product.grib, observedAt: draft.observedAt, grid, tenths });
}

/** Writes a file into an existing folder and returns its path. */
export function writeGribFile(directory: string, draft: GribFileDraft): string {
  const gzip = draft.gzip ?? true;
  const ending = gzip ? ".grib2.gz" : ".grib2";
  const name = draft.name ?? mrmsFileName(getProduct(draft.product), draft.observedAt, ending);
  const message = makeGribMessage(draft);
  const path = join(directory, name);
  writeFileSync(path, gzip ? gzipSync(message, { level: 1 }) : message);
  return path;
}
