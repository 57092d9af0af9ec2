// The description of a product: its GRIB2 identity, flags, class edges, legend and texts.
import type { ProductId } from "../contract/primitives.ts";

/** Discipline, category and parameter of a GRIB2 message. */
export interface GribIdentity {
  readonly discipline: number;
  readonly category: number;
  readonly parameter: number;
}

/** A break of the legend: the lower edge of its color, which is also a class edge. */
export interface ProductStop {
  /** Lower edge in the product's unit. */
  readonly from: number;
  /** The text in the manifest's legend. */
  readonly label: string;
  /** The text on a color strip. */
  readonly shortLabel: string;
  /** True for a line that forecasters watch; it is drawn heavier. */
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
  /** Lower edge from which a single cell is drawn at least `markSizePx` wide; undefined if no class is. */
  readonly markedFrom: number | undefined;
  /** Lower edge of the first class worth drawing over another layer; undefined draws all. It is a legend stop. */
  readonly overlayFrom: number | undefined;
  /** Flag values of the GRIB2 encoding, in the product's unit. Values below `missing` are outside radar coverage. */
  readonly flags: { readonly missing: number; readonly noCoverage: number };
  /**
   * Lower class edges in units of 1 / `edgesPerUnit` of the product's unit: 1 to 255, strictly ascending. They are
   * integers, so that packed values compare with them without rounding.
   */
  readonly edgeUnits: readonly number[];
  readonly edgesPerUnit: number;
  readonly stops: readonly ProductStop[];
}

/** Returns the lower class edges in the product's unit, as in the class table of a frame. */
export function classEdges(product: Product): number[] {
  return product.edgeUnits.map((edge) => edge / product.edgesPerUnit);
}

/** Returns, for each class, the index of its legend stop. Throws if a class is below the first stop. */
export function stopOfClass(product: Product): number[] {
  return classEdges(product).map((edge) => {
    const stop = product.stops.findLastIndex((candidate) => candidate.from <= edge);
    if (stop < 0) throw new Error(`Class edge ${edge} of ${product.id} is below its first legend stop.`);
    return stop;
  });
}
