// Reads PNG strictly: chunks and header first, then the picture, at once or row by row.
import { crc32 } from "node:zlib";
import { readChunks } from "../../../shared/png/chunks.ts";
import type { PngChunk } from "../../../shared/png/chunks.ts";
import { filteredByteLength, parseHeader, rowByteLength } from "../../../shared/png/header.ts";
import type { PngHeader } from "../../../shared/png/header.ts";
import { PngError } from "../../../shared/png/png-error.ts";
import { createScanlineReader } from "../../../shared/png/scanlines.ts";
import type { VisitRow } from "../../../shared/png/scanlines.ts";
import { inflatePicture, inflatePieces, joinPicture } from "./inflate-image.ts";
import { createLineDecoder } from "./line-decoders.ts";
import type { Samples } from "./line-decoders.ts";

/** A PNG with valid chunks; its picture is still deflated. */
export interface PngFile {
  readonly header: PngHeader;
  readonly chunks: readonly PngChunk[];
}

export interface PngPicture extends PngFile {
  /**
   * heightPx * widthPx samples, top row first, left first; three per pixel for RGB. 16-bit samples are numbers, not
   * bytes.
   */
  readonly samples: Samples;
  /** Content of PLTE: red, green, blue per entry. */
  readonly palette: Uint8Array | undefined;
  /** Content of tRNS. */
  readonly transparency: Uint8Array | undefined;
}

/** Checks chunks and header. @throws PngError */
export function parsePng(png: Uint8Array): PngFile {
  const chunks = readChunks(png, crc32);
  const first = chunks[0]!;
  return { header: parseHeader(first.content, first.offset), chunks };
}

/** Inflates the picture and calls `visit` with each row. @throws PngError if it is damaged, too short or too long */
export function visitPngRows({ header, chunks }: PngFile, visit: VisitRow<Samples>): void {
  const read = createScanlineReader(header, createLineDecoder(header), visit);
  read(inflatePicture(joinPicture(chunks, filteredByteLength(header))));
}

/** Does what `visitPngRows` does, but inflates in the thread pool and never holds the whole picture. */
export async function streamPngRows({ header, chunks }: PngFile, visit: VisitRow<Samples>): Promise<void> {
  const read = createScanlineReader(header, createLineDecoder(header), visit);
  await inflatePieces(joinPicture(chunks, filteredByteLength(header)), read);
}

/**
 * Reads a whole PNG.
 * @param maxPixels most pixels (width * height) to accept
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
    header.colorType === "palette" &&
    (palette === undefined || palette.length % 3 !== 0 || palette.length > 768)
  ) {
    throw new PngError("the picture has no valid palette", chunks[0]!.offset);
  }
  const deflated = joinPicture(chunks, filteredByteLength(header));
  const length = (header.heightPx * rowByteLength(header)) / (header.bitDepth / 8);
  const samples = header.bitDepth === 16 ? new Uint16Array(length) : new Uint8Array(length);
  let at = 0;
  const read = createScanlineReader(header, createLineDecoder(header), (_row, line) => {
    samples.set(line, at);
    at += line.length;
  });
  read(inflatePicture(deflated));
  return { ...file, samples, palette, transparency: findContent(chunks, "tRNS") };
}

function findContent(chunks: readonly PngChunk[], type: string): Uint8Array | undefined {
  return chunks.find((chunk) => chunk.type === type)?.content;
}
