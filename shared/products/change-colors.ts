// Colors of a difference, unlike those of both products: warm where the layer rose, cool where it fell, lighter with
// the size of the change. `change-colors.test.ts` measures how color-blind eyes tell them apart.

/** Three steps, the smallest change first. */
export const changeColors = {
  up: ["#8c7b56", "#cdb887", "#fff4d6"],
  down: ["#4b559c", "#7d89dc", "#b4beff"],
} as const;
