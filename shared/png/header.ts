// The PNG image header (IHDR, PNG specification 11.2.2): the kinds of pictures that we read and write, and their sizes.
import { PngError } from "./png-error.ts";

/** The kind of a pixel: gray, red-green-blue, or an index into the palette. */
export type ColorType = "gray" | "rgb" | "palette";

export interface PngHeader {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bitDepth: 8 | 16;
  readonly colorType: ColorType;
  readonly bytesPerPixel: number;
}

/** Length of IHDR's content. */
export const HEADER_BYTES = 13;

/** Codes of the supported color types in the standard. */
export const COLOR_TYPE_CODES: Readonly<Record<ColorType, number>> = { gray: 0, rgb: 2, palette: 3 };

/** The most bytes that one compressed byte can inflate to (RFC 1951: 258 bytes for two bits). */
export const MAX_INFLATION = 1032;

const MAX_DIMENSION = 0x7fffffff;

/** Bytes of one raw scanline, without its filter byte. */
export function rowByteLength(header: PngHeader): number {
  return header.widthPx * header.bytesPerPixel;
}

/** Bytes of the filtered picture: every row after its filter byte. */
export function filteredByteLength(header: PngHeader): number {
  return header.heightPx * (1 + rowByteLength(header));
}

/** Returns the bytes of a pixel; undefined if the combination of depth and color type is not supported. */
export function findBytesPerPixel(bitDepth: number, colorType: ColorType): number | undefined {
  if (bitDepth === 8) return colorType === "rgb" ? 3 : 1;
  return bitDepth === 16 && colorType === "gray" ? 2 : undefined;
}

/**
 * Parses the content of IHDR, which is at `offset` in the PNG.
 * @throws PngError for an interlaced picture, an unsupported depth or color type, or a size of zero
 */
export function parseHeader(content: Uint8Array, offset: number): PngHeader {
  if (content.length !== HEADER_BYTES) {
    throw new PngError(`IHDR must have ${HEADER_BYTES} bytes but has ${content.length}`, offset);
  }
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const widthPx = view.getUint32(0);
  const heightPx = view.getUint32(4);
  if (widthPx === 0 || heightPx === 0 || widthPx > MAX_DIMENSION || heightPx > MAX_DIMENSION) {
    throw new PngError(`the picture has an impossible size of ${widthPx} by ${heightPx} pixels`, offset);
  }
  const bitDepth = content[8]!;
  const colorCode = content[9]!;
  const colorType = findColorType(colorCode);
  const bytesPerPixel = colorType && findBytesPerPixel(bitDepth, colorType);
  if (colorType === undefined || bytesPerPixel === undefined) {
    throw new PngError(
      `bit depth ${bitDepth} with color type ${colorCode} is not supported (gray of 8 or 16 bits, RGB and palette of 8 are)`,
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
  return { widthPx, heightPx, bitDepth: bitDepth === 16 ? 16 : 8, colorType, bytesPerPixel };
}

function findColorType(code: number): ColorType | undefined {
  if (code === COLOR_TYPE_CODES.gray) return "gray";
  if (code === COLOR_TYPE_CODES.rgb) return "rgb";
  return code === COLOR_TYPE_CODES.palette ? "palette" : undefined;
}
