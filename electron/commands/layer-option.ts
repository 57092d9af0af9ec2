// The option that names a layer.
import { Option } from "@commander-js/extra-typings";
import type { ProductId } from "../../shared/contract/primitives.ts";
import { products } from "../../shared/products/registry.ts";

export function layerOption(description: string) {
  return new Option("--layer <id>", description).choices(products.map(({ id }): ProductId => id));
}
