// Sizes and colors of sheets. They are those of the viewer in its dark theme: a unit is a CSS pixel of a window of
// 1280 by 720, so that a sheet of any size looks like that window, and letters stay legible on a small one.
import type { NoteTone } from "./sheet-words.ts";

export const sheetColors = {
  panel: "#0a0e13",
  line: "#202b37",
  text: "#e8eef4",
  quiet: "#95a2b0",
  disclosure: "#c6d0d9",
  credits: "#a3afbb",
  warning: "#ffb44a",
  synthetic: "#b9a6ff",
  replay: "#7fd6c6",
} as const;

export const noteColors: Readonly<Record<NoteTone, { readonly text: string; readonly border: string }>> = {
  plain: { text: sheetColors.text, border: sheetColors.line },
  warning: { text: sheetColors.warning, border: "#6b4f25" },
  bad: { text: "#ff7a6e", border: "#71403c" },
  synthetic: { text: sheetColors.synthetic, border: sheetColors.synthetic },
  replay: { text: sheetColors.replay, border: sheetColors.replay },
};

export interface SheetSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface SheetLook extends SheetSize {
  /** Pixels in a unit. */
  readonly unitPx: number;
  /** True if facts and legends take lines of their own. */
  readonly isNarrow: boolean;
  /** True if there is no height for long words. */
  readonly isLow: boolean;
  /** Size of lines and letters on the map, as in `toOverlay`. */
  readonly mapScale: number;
  /** Whole pixels in a unit, for what is drawn pixel by pixel. */
  readonly pixelRatio: number;
}

/** Letters of a small sheet shrink no further: nine pixels for the smallest. */
const leastUnitPx = 0.82;
const [narrowUnits, lowUnits] = [860, 420];

export function toSheetLook({ widthPx, heightPx }: SheetSize): SheetLook {
  const unitPx = Math.max(leastUnitPx, Math.min(widthPx / 1280, heightPx / 720));
  return {
    ...{ widthPx, heightPx, unitPx },
    isNarrow: widthPx / unitPx < narrowUnits,
    isLow: heightPx / unitPx < lowUnits,
    mapScale: 0.65 * unitPx,
    pixelRatio: Math.max(1, Math.round(unitPx)),
  };
}

/** Returns the SVG of a box with a thin border and round corners. */
export function toBox(
  { left, top, width, height }: Readonly<Record<"left" | "top" | "width" | "height", number>>,
  border: string,
  unitPx: number,
): string {
  const inset = unitPx / 2;
  const [x, y, w, h] = [left + inset, top + inset, width - unitPx, height - unitPx].map(toTenths);
  return `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${toTenths(5 * unitPx)}" fill="${sheetColors.panel}" stroke="${border}" stroke-width="${toTenths(unitPx)}"/>`;
}

export function toTenths(value: number): number {
  return Math.round(value * 10) / 10;
}

export function toDocument({ widthPx, heightPx }: SheetSize, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">${parts.join("")}</svg>`;
}
