// Sets text as SVG outlines, the same on every machine. One line at a time, left to right.
import type { FontOutlines, FontWeight, Glyph } from "../atlas/briefing-map.ts";

export interface TextStyle {
  readonly sizePx: number;
  readonly weight: FontWeight;
  readonly fill: string;
  /** End of the text that is at x; default "start". */
  readonly anchor?: "start" | "middle" | "end";
  /** A rim that keeps the text readable on any background. */
  readonly halo?: { readonly color: string; readonly widthPx: number };
}

export type TextSize = Pick<TextStyle, "sizePx" | "weight">;

export interface Typesetter {
  readonly measure: (text: string, size: TextSize) => number;
  /** Returns SVG of the text with its baseline at y. */
  readonly set: (text: string, x: number, y: number, style: TextStyle) => string;
  /** Returns the text, or as much as fits and an ellipsis. */
  readonly fit: (text: string, widthPx: number, size: TextSize) => string;
  /** Breaks between words; shortens the last of `mostLines` lines if the text is longer. */
  readonly wrap: (text: string, widthPx: number, size: TextSize, mostLines: number) => string[];
}

const replacement = "\u{fffd}";

export function createTypesetter(fonts: Readonly<Record<FontWeight, FontOutlines>>): Typesetter {
  const glyphsOf = (text: string, weight: FontWeight): Glyph[] => {
    const { glyphs } = fonts[weight];
    return Array.from(toPrintable(text), (character) => {
      const glyph = Object.hasOwn(glyphs, character) ? glyphs[character] : glyphs[replacement];
      return glyph ?? [0, ""];
    });
  };
  const measure: Typesetter["measure"] = (text, { sizePx, weight }) =>
    glyphsOf(text, weight).reduce((sum, [advance]) => sum + advance, 0) * (sizePx / fonts[weight].unitsPerEm);
  const fit: Typesetter["fit"] = (text, widthPx, size) => {
    if (measure(text, size) <= widthPx) return text;
    const characters = Array.from(text);
    while (characters.length > 0 && measure(`${characters.join("")}…`, size) > widthPx) characters.pop();
    return `${characters.join("").trimEnd()}…`;
  };
  return {
    measure,
    fit,
    set(text, x, y, style) {
      const { sizePx, weight, anchor = "start" } = style;
      const shift = { start: 0, middle: -0.5, end: -1 }[anchor] * measure(text, style);
      const scale = sizePx / fonts[weight].unitsPerEm;
      let at = 0;
      const paths = glyphsOf(text, weight).flatMap(([advance, path]) => {
        const here = at;
        at += advance;
        return path === "" ? [] : [`<path transform="translate(${here})" d="${path}"/>`];
      });
      const transform = `translate(${round(x + shift)} ${round(y)}) scale(${scale})`;
      return `<g transform="${transform}" fill="${style.fill}"${toRim(style, scale)}>${paths.join("")}</g>`;
    },
    wrap(text, widthPx, size, mostLines) {
      const lines: string[] = [];
      let rest = text.split(/\s+/).filter((word) => word !== "");
      while (rest.length > 0) {
        if (lines.length === mostLines - 1) return [...lines, fit(rest.join(" "), widthPx, size)];
        let count = 1;
        while (count < rest.length && measure(rest.slice(0, count + 1).join(" "), size) <= widthPx) count++;
        lines.push(fit(rest.slice(0, count).join(" "), widthPx, size));
        rest = rest.slice(count);
      }
      return lines;
    },
  };
}

function toRim({ halo }: TextStyle, scale: number): string {
  if (!halo) return "";
  const width = round((halo.widthPx * 2) / scale);
  return ` stroke="${halo.color}" stroke-width="${width}" stroke-linejoin="round" paint-order="stroke"`;
}

/** Composes characters, removes control characters, and turns all white space into spaces. */
function toPrintable(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\s/gu, " ")
    .replace(/[\p{Cc}\p{Cf}]/gu, "");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
