// Names of MRMS files and of the bucket's folders: product, level and time to the second, UTC.
import type { ProductId } from "../../../shared/contract/primitives.ts";
import type { Product } from "../../../shared/products/product.ts";
import { products } from "../../../shared/products/registry.ts";
import { toInstant } from "../../catalog/plans/instants.ts";

export interface MrmsName {
  readonly productId: ProductId;
  readonly observedAt: string;
}

/** A UTC day: the Unix epoch counts no leap seconds. */
export const dayMs = 86_400_000;

const level = "00.50";
const pattern =
  /^(?:MRMS_)?([A-Za-z]+)_\d{2}\.\d{2}_(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})\.grib2(?:\.gz)?$/;

/** Returns undefined for another form, an unsupported product, or an impossible time. */
export function parseMrmsName(name: string): MrmsName | undefined {
  const match = pattern.exec(name);
  const product = products.find(({ fileStem }) => fileStem === match?.[1]);
  if (!match || !product) return undefined;
  const [, , year, month, day, hour, minute, second] = match;
  const text = `${year!}-${month!}-${day!}T${hour!}:${minute!}:${second!}Z`;
  const ms = Date.parse(text);
  // `Date.parse` accepts February 30 as March 1.
  if (Number.isNaN(ms) || toInstant(ms) !== text) return undefined;
  return { productId: product.id, observedAt: text };
}

/** Returns true for a file name of any MRMS product. */
export function looksLikeMrms(name: string): boolean {
  return /^(?:MRMS_)?[\w-]+_\d{2}\.\d{2}_\d{8}-\d{6}\.(?:grib2|grb2)(?:\.gz)?$/.test(name);
}

/** Returns a product's folder in the bucket, such as `CONUS/MESH_00.50/`. */
export function productPrefix({ fileStem }: Product): string {
  return `CONUS/${fileStem}_${level}/`;
}

/** Returns the bucket's folder of a product and the UTC day of `ms`, such as `CONUS/MESH_00.50/20240228/`. */
export function dayPrefix(product: Product, ms: number): string {
  const day = new Date(ms).toISOString().slice(0, 10).replaceAll("-", "");
  return `${productPrefix(product)}${day}/`;
}
