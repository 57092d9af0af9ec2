// Options that name layers.
import { Option } from "@commander-js/extra-typings";
import type { ProductId } from "../../shared/contract/primitives.ts";
import { products } from "../../shared/products/registry.ts";
import { UsageError } from "./option-values.ts";

const ids = products.map(({ id }): ProductId => id);

export function layerOption(description: string) {
  return new Option("--layer <id>", description).choices(ids);
}

export function layersOption(description: string) {
  return new Option("--layers <list>", description).argParser(parseLayers);
}

/** @throws UsageError */
export function parseLayers(text: string): ProductId[] {
  const named = new Set(text.split(",").map((name) => name.trim()));
  const known = ids.filter((id) => named.delete(id));
  if (named.size === 0) return known;
  throw new UsageError(`--layers takes ${ids.join(" and ")}, not "${[...named].join(",")}".`);
}
