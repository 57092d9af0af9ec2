// Reads PNG strictly: chunks, header, then the picture row by row out of node:zlib. Sizes are known before anything is inflated.
import { crc32, inflateSync } from "node:zlib";
import { readChunks } from "../../shared/png/chunks.ts";
import type { PngChunk } from "../../shared/png/chunks.ts";
import { filteredByteLength, parseHeader, rowByteLength } from "../../shared/png/header.ts";
import type { PngHeader } from "../../shared/png/header.ts";
import { PngError } from "../../shared/png/png-error.ts";
import { visitScanlines } from "./scanlines.ts";
import type { Samples } from "./scanlines.ts";

/** A PNG whose chunks are sound; its picture is still deflated. */
export interface PngFile {
  readonly header: PngHeader;
  readonly chunks: readonly PngChunk[];
}

export interface PngPicture extends PngFile {
  /** heightPx * widthPx samples, top row first, left first; three a pixel for RGB. 16-bit samples are numbers, not bytes. */
  readonly samples: Samples;
  /** Content of PLTE, red, green, blue an entry. */
  readonly palette: Uint8Array | undefined;
  /** Content of tRNS. */
  readonly transparency: Uint8Array | undefined;
}

/** Deflate cannot make more bytes than this out of one (zlib's technical details). */
const MAX_INFLATION = 1032;

/** Checks chunks and header. @throws PngError */
export function parsePng(png: Uint8Array): PngFile {
  const chunks = readChunks(png, crc32);
  const first = chunks[0]!;
  return { header: parseHeader(first.content, first.offset), chunks };
}

/**
 * Inflates the picture and calls `visit` with each row, top first. The samples are only valid during the call.
 * @throws PngError when the picture's data are damaged, too short or too long
 */
export function visitPngRows(file: PngFile, visit: (row: number, samples: Samples) => void): void {
  const filtered = inflatePicture(file);
  visitScanlines(filtered, file.header, visit);
}

/**
 * Reads a whole PNG.
 * @param maxPixels the greatest width * height to accept
 * @throws PngError
 */
export function readPng(png: Uint8Array, maxPixels: number): PngPicture {
  const file = parsePng(png);
  const { header, chunks } = file;
  const pixels = header.widthPx * header.heightPx;
  if (pixels > maxPixels) {
    throw new PngError(
      `the picture has ${pixels} pixels, more than the ${maxPixels} expected`,
      chunks[0]!.offset,
    );
  }
  const palette = findContent(chunks, "PLTE");
  if (
    header.colourType === "palette" &&
    (palette === undefined || palette.length % 3 !== 0 || palette.length > 768)
  ) {
    throw new PngError("the picture has no palette of whole entries", chunks[0]!.offset);
  }
  const filtered = inflatePicture(file);
  const length = (header.heightPx * rowByteLength(header)) / (header.bitDepth / 8);
  const samples = header.bitDepth === 16 ? new Uint16Array(length) : new Uint8Array(length);
  let at = 0;
  visitScanlines(filtered, header, (_row, line) => {
    samples.set(line, at);
    at += line.length;
  });
  return { ...file, samples, palette, transparency: findContent(chunks, "tRNS") };
}

function findContent(chunks: readonly PngChunk[], type: string): Uint8Array | undefined {
  return chunks.find((chunk) => chunk.type === type)?.content;
}

/** The filtered scanlines, each with its filter byte: exactly as many bytes as the header asks for. */
function inflatePicture({ header, chunks }: PngFile): Uint8Array {
  const parts = chunks.filter((chunk) => chunk.type === "IDAT");
  checkContiguous(chunks, parts);
  const offset = parts[0]!.offset;
  const expected = filteredByteLength(header);
  const deflated = parts.length === 1 ? parts[0]!.content : Buffer.concat(parts.map((part) => part.content));
  if (expected > deflated.length * MAX_INFLATION) {
    const text = `${deflated.length} bytes of picture data cannot inflate to the ${expected} bytes of the picture`;
    throw new PngError(text, offset);
  }
  const { buffer, consumed } = inflate(deflated, expected, offset);
  if (buffer.length !== expected) {
    throw new PngError(`the picture must inflate to ${expected} bytes but gives ${buffer.length}`, offset);
  }
  if (consumed !== deflated.length) {
    throw new PngError(`${deflated.length - consumed} bytes follow the end of the picture data`, offset);
  }
  return buffer;
}

function checkContiguous(chunks: readonly PngChunk[], parts: readonly PngChunk[]): void {
  if (parts.length === 0) throw new PngError("there is no picture data (IDAT)", chunks[0]!.offset);
  const first = chunks.indexOf(parts[0]!);
  const stray = parts.find((part, index) => chunks[first + index] !== part);
  if (stray) throw new PngError("picture data (IDAT) are not in one row of chunks", stray.offset);
}

function inflate(
  deflated: Uint8Array,
  expected: number,
  offset: number,
): { buffer: Uint8Array; consumed: number } {
  try {
    // One chunk with room to spare: no copy at the end, and surplus output is noticed instead of allocated.
    // With `info`, node:zlib returns the engine too, which its types do not say.
    const result = inflateSync(deflated, {
      chunkSize: expected + 64,
      maxOutputLength: expected,
      info: true,
    }) as unknown as {
      buffer: Uint8Array;
      engine: { bytesWritten: number };
    };
    return { buffer: result.buffer, consumed: result.engine.bytesWritten };
  } catch (cause) {
    const tooLong = cause instanceof RangeError && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";
    const text = tooLong
      ? `the picture data inflate to more than the ${expected} bytes of the picture`
      : `the picture data cannot be inflated: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new PngError(text, offset, { cause });
  }
}
