// What a product of the viewer is: its GRIB2 identity, flags, class edges, legend, palette and the words about it.
import type { ProductId } from "../contract/primitives.ts";

/** Discipline, category and parameter of a GRIB2 message. */
export interface GribIdentity {
  readonly discipline: number;
  readonly category: number;
  readonly parameter: number;
}

/** One break of the legend: the lower edge of its colour, which is also a class edge. */
export interface ProductStop {
  /** Lower edge in the product's unit. */
  readonly from: number;
  /** What the manifest's legend says. */
  readonly label: string;
  /** What a colour strip has room for. */
  readonly shortLabel: string;
  /** A line that forecasters watch for: drawn heavier. */
  readonly threshold: boolean;
}

export interface Product {
  readonly id: ProductId;
  readonly grib: GribIdentity;
  /** The product's name in file names, without `MRMS_` and level. */
  readonly fileStem: string;
  readonly label: string;
  readonly description: string;
  readonly caveat: string;
  readonly unit: string;
  readonly opacity: number;
  /** Flag values of the GRIB2 encoding, in the product's unit. Values below `missing` are outside radar coverage. */
  readonly flags: { readonly missing: number; readonly noCoverage: number };
  /**
   * Lower class edges in units of 1 / `edgesPerUnit` of the product's unit: strictly ascending, 1 to 255 of them.
   * Integers, so that a packed value can be compared with an edge without rounding.
   */
  readonly edgeUnits: readonly number[];
  readonly edgesPerUnit: number;
  readonly stops: readonly ProductStop[];
}

/** Lower class edges in the product's unit, as the frame's class table lists them. */
export function classEdges(product: Product): number[] {
  return product.edgeUnits.map((edge) => edge / product.edgesPerUnit);
}

/** For each class, the index of the legend stop it falls under. Throws when a class lies below the first stop. */
export function stopOfClass(product: Product): number[] {
  return classEdges(product).map((edge) => {
    const stop = product.stops.findLastIndex((candidate) => candidate.from <= edge);
    if (stop < 0) throw new Error(`Class edge ${edge} of ${product.id} lies below its first legend stop.`);
    return stop;
  });
}
