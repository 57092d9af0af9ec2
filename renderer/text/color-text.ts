// Words for the colors of the layers: the palette, a person's own tables, and how exactly the classes show a table.
import { productIds } from "../../shared/contract/index.ts";
import type { LayerColors } from "../../shared/products/color-tables/layer-colors.ts";
import { toExactness, type MixedClass, type OwnTable } from "../../shared/products/color-tables/own-table.ts";
import { defaultPalette, paletteNames } from "../../shared/products/palettes.ts";
import { classEdges } from "../../shared/products/product.ts";
import { getProduct } from "../../shared/products/registry.ts";
import { classRange, type HailUnits } from "./format.ts";
import { layerShortNames } from "./state-text.ts";

/** `Colors: my table (reflectivity), NWS`; empty for the palette that every picture has unless another is chosen. */
export function colorsWords({ palette, ownTables = {} }: LayerColors): string {
  const own = productIds.flatMap((id) => ownTables[id] ?? []);
  if (own.length === 0 && palette === defaultPalette) return "";
  const names = own.map(({ name, product }) => `${name} (${layerShortNames[product].toLowerCase()})`);
  if (own.length < productIds.length) names.push(paletteNames[palette]);
  return `Colors: ${names.join(", ")}`;
}

/** Most classes that are named one by one. */
const mostNamed = 3;

/** Returns a sentence for each way in which the classes differ from the table, or one that says that they do not. */
export function exactnessWords(table: OwnTable, hailUnits: HailUnits): string[] {
  const product = getProduct(table.product);
  const { mixed, hasGradient, startsAbove } = toExactness(table, classEdges(product));
  const wordsOf = ({ from, to }: MixedClass): string =>
    classRange({ from, to, unit: product.unit }, hailUnits)[0]!;
  const [first] = table.segments;
  const sentences = [
    ...mixed
      .slice(0, mostNamed)
      .map((one) => `${wordsOf(one)} has several colors in the table; the map has that of its lower edge.`),
    ...(mixed.length > mostNamed ? [`So it is in ${mixed.length - mostNamed} more classes.`] : []),
    ...(hasGradient
      ? ["Gradients are drawn in steps of one class, each in the color at its lower edge."]
      : []),
    ...(startsAbove
      ? [`Below ${lowerEdge(first!.from, product.unit, hailUnits)} the table has no color: nothing is drawn.`]
      : []),
  ];
  return sentences.length > 0 ? sentences : ["Exact: every break of the table is a class edge."];
}

function lowerEdge(from: number, unit: string, hailUnits: HailUnits): string {
  return classRange({ from, to: undefined, unit }, hailUnits)[0]!.replace(" and above", "");
}
