// The products that the viewer draws, by identity, by id and by file name.
import type { ProductId } from "../contract/primitives.ts";
import { mesh } from "./mesh.ts";
import type { GribIdentity, Product } from "./product.ts";
import { reflectivity } from "./reflectivity.ts";

/** The products in drawing order: reflectivity below, hail size above. */
export const products: readonly Product[] = [reflectivity, mesh];

const byId: Readonly<Record<ProductId, Product>> = { "mrms-mesh": mesh, "mrms-reflectivity": reflectivity };

export function getProduct(id: ProductId): Product {
  return byId[id];
}

export function findProductByIdentity(identity: GribIdentity): Product | undefined {
  return products.find(
    ({ grib }) =>
      grib.discipline === identity.discipline &&
      grib.category === identity.category &&
      grib.parameter === identity.parameter,
  );
}

/** Returns the product in a file's name, for unreadable files. `MESH_Max_…` is another product. */
export function findProductByFileName(fileName: string): Product | undefined {
  const name = fileName.replace(/^.*[/\\]/, "").replace(/^MRMS_/, "");
  return products.find(({ fileStem }) => new RegExp(`^${fileStem}_\\d{2}\\.\\d{2}_`).test(name));
}
