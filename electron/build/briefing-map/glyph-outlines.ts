// Reads the letters of a font as SVG paths, so that text in stills does not depend on the fonts of the machine.
import { readFile } from "node:fs/promises";
import opentype from "opentype.js";
import type { Glyph } from "../../sharing/stills/atlas/briefing-map.ts";

export interface OutlineFont {
  readonly unitsPerEm: number;
  /** Returns undefined if the font lacks the character. */
  readonly findGlyph: (character: string) => Glyph | undefined;
}

/** `path` is a WOFF 1.0 file with TrueType outlines. */
export async function loadOutlineFont(path: string): Promise<OutlineFont> {
  const font = opentype.parse(new Uint8Array(await readFile(path)).buffer);
  return {
    unitsPerEm: font.unitsPerEm,
    findGlyph(character) {
      if (font.charToGlyphIndex(character) === 0) return undefined;
      const { advanceWidth, path: outline } = font.charToGlyph(character);
      return [advanceWidth, toPathData(outline.commands)];
    },
  };
}

/** Turns y down and leaves out lines of no length. */
function toPathData(commands: readonly opentype.PathCommand[]): string {
  let data = "";
  let [fromX, fromY] = [NaN, NaN];
  for (const command of commands) {
    if (command.type === "Z") {
      data += "Z";
      continue;
    }
    const { type, x, y } = command;
    const isEmpty = type === "L" && x === fromX && y === fromY;
    [fromX, fromY] = [x, y];
    if (isEmpty) continue;
    data += type === "Q" ? `Q${command.x1} ${0 - command.y1} ${x} ${0 - y}` : `${type}${x} ${0 - y}`;
  }
  return data;
}
