// The part of opentype.js that the build uses; the package has no types of its own.
declare module "opentype.js" {
  namespace opentype {
    /** Coordinates are font units, y up. */
    type PathCommand =
      | { readonly type: "M" | "L"; readonly x: number; readonly y: number }
      | {
          readonly type: "Q";
          readonly x1: number;
          readonly y1: number;
          readonly x: number;
          readonly y: number;
        }
      | { readonly type: "Z" };

    interface Glyph {
      readonly advanceWidth: number;
      readonly path: { readonly commands: readonly PathCommand[] };
    }

    interface Font {
      readonly unitsPerEm: number;
      /** Returns 0 if the font lacks the character. */
      readonly charToGlyphIndex: (character: string) => number;
      readonly charToGlyph: (character: string) => Glyph;
    }
  }
  const opentype: { readonly parse: (file: ArrayBuffer) => opentype.Font };
  export = opentype;
}
