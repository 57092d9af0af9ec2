// The PNG image header (IHDR, PNG specification 11.2.2): which pictures we read and write, and how many bytes they hold.
import { PngError } from "./png-error.ts";

/** What a pixel is: grey, red-green-blue, or an index into the palette. */
export type ColourType = "grey" | "rgb" | "palette";

export interface PngHeader {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bitDepth: 8 | 16;
  readonly colourType: ColourType;
  readonly bytesPerPixel: number;
}

/** Length of IHDR's content. */
export const HEADER_BYTES = 13;

/** Codes of the standard for the colour types supported here. */
export const COLOUR_TYPE_CODES: Readonly<Record<ColourType, number>> = { grey: 0, rgb: 2, palette: 3 };

/** The most bytes that one compressed byte can inflate to (RFC 1951: 258 bytes for two bits). */
export const MAX_INFLATION = 1032;

const MAX_DIMENSION = 0x7fffffff;

/** Bytes of one raw scanline, without its filter byte. */
export function rowByteLength(header: PngHeader): number {
  return header.widthPx * header.bytesPerPixel;
}

/** Bytes of the filtered picture as it is deflated: every row preceded by its filter byte. */
export function filteredByteLength(header: PngHeader): number {
  return header.heightPx * (1 + rowByteLength(header));
}

/** Bytes of a pixel, or undefined for a combination of depth and colour type that is not supported. */
export function findBytesPerPixel(bitDepth: number, colourType: ColourType): number | undefined {
  if (bitDepth === 8) return colourType === "rgb" ? 3 : 1;
  return bitDepth === 16 && colourType === "grey" ? 2 : undefined;
}

/**
 * Parses the content of IHDR. `offset` is where it starts in the PNG, for messages.
 * @throws PngError for an interlaced picture, an unsupported depth or colour type, or a size of zero.
 */
export function parseHeader(content: Uint8Array, offset: number): PngHeader {
  if (content.length !== HEADER_BYTES) {
    throw new PngError(`IHDR must have ${HEADER_BYTES} bytes but has ${content.length}`, offset);
  }
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const widthPx = view.getUint32(0);
  const heightPx = view.getUint32(4);
  if (widthPx === 0 || heightPx === 0 || widthPx > MAX_DIMENSION || heightPx > MAX_DIMENSION) {
    throw new PngError(
      `the picture is said to be ${widthPx} by ${heightPx} pixels, which no PNG can be`,
      offset,
    );
  }
  const bitDepth = content[8]!;
  const colourCode = content[9]!;
  const colourType = findColourType(colourCode);
  const bytesPerPixel = colourType && findBytesPerPixel(bitDepth, colourType);
  if (colourType === undefined || bytesPerPixel === undefined) {
    throw new PngError(
      `bit depth ${bitDepth} with colour type ${colourCode} is not supported (grey of 8 or 16 bits, RGB and palette of 8 are)`,
      offset + 8,
    );
  }
  if (content[10] !== 0 || content[11] !== 0) {
    throw new PngError(
      `compression method ${content[10]!} and filter method ${content[11]!} must both be 0`,
      offset + 10,
    );
  }
  if (content[12] !== 0) {
    throw new PngError(`interlace method ${content[12]!} is not supported, only 0 (none) is`, offset + 12);
  }
  return { widthPx, heightPx, bitDepth: bitDepth === 16 ? 16 : 8, colourType, bytesPerPixel };
}

function findColourType(code: number): ColourType | undefined {
  if (code === COLOUR_TYPE_CODES.grey) return "grey";
  if (code === COLOUR_TYPE_CODES.rgb) return "rgb";
  return code === COLOUR_TYPE_CODES.palette ? "palette" : undefined;
}
