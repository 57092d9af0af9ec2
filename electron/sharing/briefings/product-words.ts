// The words for each product: its values in forecasters' units, and the thresholds that summaries give areas for.
import type { ProductId } from "../../../shared/contract/primitives.ts";
import type { ClassRange } from "../stills/frames/still-facts.ts";

export interface ProductWords {
  /** A warning in capitals on the still. */
  readonly tag: string;
  /** Text of a still whose frame is empty. */
  readonly emptiness: string;
  /** `Largest estimated hail` */
  readonly highest: string;
  /** Lower limits in the product's unit, with their names. */
  readonly thresholds: readonly { readonly from: number; readonly name: string }[];
  /** Returns a class as a range, no more precise than the data. */
  readonly toValue: (value: ClassRange) => string;
  /** A second caveat, next to the layer's own. */
  readonly reservation: string;
}

const mmPerInch = 25.4;

const words: Readonly<Record<ProductId, ProductWords>> = {
  "mrms-mesh": {
    tag: "HAIL SIZE ESTIMATE, NOT A HAIL REPORT",
    emptiness: "No hail of 1/8 inch or more",
    highest: "Largest estimated hail size",
    thresholds: [
      { from: 25.4, name: "1 inch (25.4 mm, severe) or more" },
      { from: 50.8, name: "2 inches (50.8 mm, significant) or more" },
    ],
    toValue: ({ from, to }) => {
      const inches = (mm: number): string => (mm / mmPerInch).toFixed(2);
      if (to === null) return `${inches(from)} in or more (${from.toFixed(1)} mm or more)`;
      return `${inches(from)} to ${inches(to)} in (${from.toFixed(1)} to ${to.toFixed(1)} mm)`;
    },
    reservation: "At one spot most stones are smaller; some may be larger.",
  },
  "mrms-reflectivity": {
    tag: "STRONGEST ECHO AT ANY HEIGHT",
    emptiness: "No echo of 5 dBZ or more",
    highest: "Strongest echo",
    thresholds: [
      { from: 40, name: "40 dBZ or more" },
      { from: 55, name: "55 dBZ or more" },
    ],
    toValue: ({ from, to }) => (to === null ? `${from} dBZ or more` : `${from} to ${to} dBZ`),
    reservation: "Melting snow can look stronger than the rain below it.",
  },
};

export function wordsOf(product: ProductId): ProductWords {
  return words[product];
}
