// The names of MRMS files and of the bucket's folders: product, level and time, to the second, UTC.
import type { ProductId } from "../../../shared/contract/primitives.ts";
import type { Product } from "../../../shared/products/product.ts";
import { products } from "../../../shared/products/registry.ts";
import { toInstant } from "../../catalog/instants.ts";

export interface MrmsName {
  readonly productId: ProductId;
  readonly observedAt: string;
}

/** A UTC day: the Unix epoch counts no leap seconds. */
export const dayMs = 86_400_000;

const level = "00.50";
const pattern =
  /^(?:MRMS_)?([A-Za-z]+)_\d{2}\.\d{2}_(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})\.grib2(?:\.gz)?$/;

/** Undefined for a name of another form, of a product that is not drawn, or with a time that never was. */
export function parseMrmsName(name: string): MrmsName | undefined {
  const match = pattern.exec(name);
  const product = products.find(({ fileStem }) => fileStem === match?.[1]);
  if (!match || !product) return undefined;
  const [, , year, month, day, hour, minute, second] = match;
  const text = `${year!}-${month!}-${day!}T${hour!}:${minute!}:${second!}Z`;
  const ms = Date.parse(text);
  // The 30th of February is parsed as the 1st of March.
  if (Number.isNaN(ms) || toInstant(ms) !== text) return undefined;
  return { productId: product.id, observedAt: text };
}

/** Whether a name is formed as MRMS forms them, of whatever product. */
export function looksLikeMrms(name: string): boolean {
  return /^(?:MRMS_)?[\w-]+_\d{2}\.\d{2}_\d{8}-\d{6}\.(?:grib2|grb2)(?:\.gz)?$/.test(name);
}

/** `CONUS/MESH_00.50/`: where the bucket keeps a product. */
export function productPrefix({ fileStem }: Product): string {
  return `CONUS/${fileStem}_${level}/`;
}

/** `CONUS/MESH_00.50/20240228/`: where the bucket keeps a product's files of the UTC day that `ms` lies in. */
export function dayPrefix(product: Product, ms: number): string {
  const day = new Date(ms).toISOString().slice(0, 10).replaceAll("-", "");
  return `${productPrefix(product)}${day}/`;
}
