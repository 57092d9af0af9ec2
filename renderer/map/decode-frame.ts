// From the bytes of a frame's PNG to what the map draws and the probe reads. Runs in the decode worker and in tests; it
// fetches nothing. PNG specification (third edition) for the container, shared/contract/frame-metadata.ts for the texts.
import { maxFramePixels } from "../../shared/contract/frame-limits.ts";
import { FrameClasses, FrameCoverage } from "../../shared/contract/frame-metadata.ts";
import { frameClassesKeyword, frameCoverageKeyword } from "../../shared/contract/frame-metadata.ts";
import { readChunks } from "../../shared/png/chunks.ts";
import type { PngChunk } from "../../shared/png/chunks.ts";
import { filteredByteLength, parseHeader } from "../../shared/png/header.ts";
import type { PngHeader } from "../../shared/png/header.ts";
import { PngError } from "../../shared/png/png-error.ts";
import { createDecoder8, createScanlineReader } from "../../shared/png/scanlines.ts";
import { findText } from "../../shared/png/png-text.ts";
import type { ColourFrame, ColourTile, CoverageGrid, DecodedFrame } from "./decoded-frame.ts";
import { IndexGridBuilder } from "./index-grid.ts";
import type { IndexGrid } from "./index-grid.ts";
import { inflate, inflateAll, maxDeflateRatio } from "./inflate-stream.ts";

export interface DecodeOptions {
  /** The widest and highest texture that the GPU takes, for pictures in colours. */
  readonly maxTilePx: number;
  readonly signal?: AbortSignal | undefined;
}

const paletteEntries = 256;

/**
 * Decodes a frame.
 * @throws PngError when the bytes are not a whole, sound PNG of a bearable size, or its own texts are not as contracted
 */
export async function decodeFrame(png: Uint8Array, options: DecodeOptions): Promise<DecodedFrame> {
  const chunks = readChunks(png);
  const first = chunks[0]!;
  checkSize(chunks);
  if (!isIndexed(first.content)) return decodeColours(png, options);
  const header = parseHeader(first.content, first.offset);
  const grid = await decodeIndices(header, chunks, options.signal);
  return {
    kind: "indexed",
    widthPx: header.widthPx,
    heightPx: header.heightPx,
    grid,
    palette: readPalette(chunks),
    classes: readText(chunks, frameClassesKeyword, FrameClasses),
    coverage: await readCoverage(chunks),
  };
}

/** Whether the header says 8 bits, palette, not interlaced: what our own service writes. */
function isIndexed(header: Uint8Array): boolean {
  return header[8] === 8 && header[9] === 3 && header[12] === 0;
}

/** Refuses what no picture of that many compressed bytes can hold, before memory is taken for it. */
function checkSize(chunks: readonly PngChunk[]): void {
  const { content, offset } = chunks[0]!;
  if (content.length < 13) throw new PngError("the image header is cut short", offset);
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const pixels = view.getUint32(0) * view.getUint32(4);
  if (pixels === 0 || pixels > maxFramePixels) {
    throw new PngError(
      `the picture is said to have ${pixels} pixels; 1 to ${maxFramePixels} are drawn`,
      offset,
    );
  }
  const compressed = dataParts(chunks).reduce((sum, part) => sum + part.length, 0);
  // One bit a pixel is the least that any colour type takes.
  const leastBytes = isIndexed(content) ? pixels : pixels / 8;
  if (leastBytes > compressed * maxDeflateRatio) {
    throw new PngError(`${compressed} compressed bytes cannot hold ${pixels} pixels`, offset);
  }
}

function dataParts(chunks: readonly PngChunk[]): Uint8Array[] {
  return chunks.filter(({ type }) => type === "IDAT").map(({ content }) => content);
}

/** Inflates, unfilters and packs the rows as they come: one row and one inflated piece are in memory besides the result. */
async function decodeIndices(
  header: PngHeader,
  chunks: readonly PngChunk[],
  signal: AbortSignal | undefined,
): Promise<IndexGrid> {
  const builder = new IndexGridBuilder(header.widthPx, header.heightPx);
  const take = createScanlineReader(header, createDecoder8(header), (_row, indices) => {
    builder.addRow(indices);
  });
  await inflate(dataParts(chunks), filteredByteLength(header), take, signal);
  return builder.finish();
}

/** PLTE and tRNS as 256 RGBA entries; entries that the file does not have are transparent. */
function readPalette(chunks: readonly PngChunk[]): Uint8Array<ArrayBuffer> {
  const colours = chunks.find(({ type }) => type === "PLTE");
  const count = (colours?.content.length ?? 0) / 3;
  if (!colours || !Number.isInteger(count) || count < 1 || count > paletteEntries) {
    throw new PngError("the palette must have 1 to 256 entries of 3 bytes", colours?.offset ?? 0);
  }
  const opacities = chunks.find(({ type }) => type === "tRNS")?.content;
  const palette = new Uint8Array(paletteEntries * 4);
  for (let entry = 0; entry < count; entry++) {
    palette.set(colours.content.subarray(entry * 3, entry * 3 + 3), entry * 4);
    palette[entry * 4 + 3] = opacities?.[entry] ?? 255;
  }
  return palette;
}

/** The JSON of one of our own texts, undefined when the picture has none. */
function readText<T>(
  chunks: readonly PngChunk[],
  keyword: string,
  schema: { safeParse: (value: unknown) => { success: true; data: T } | { success: false; error: Error } },
): T | undefined {
  const text = findText(chunks, keyword);
  if (text === undefined) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new PngError(`the text ${keyword} is not JSON`, 0, { cause });
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new PngError(`the text ${keyword} does not keep its contract`, 0, { cause: parsed.error });
}

async function readCoverage(chunks: readonly PngChunk[]): Promise<CoverageGrid | undefined> {
  const coverage = readText(chunks, frameCoverageKeyword, FrameCoverage);
  if (!coverage) return undefined;
  const { bounds, width, height } = coverage;
  const deflated = Uint8Array.from(atob(coverage.bits), (letter) => letter.charCodeAt(0));
  const byteLength = Math.ceil((width * height) / 8);
  if (byteLength > deflated.length * maxDeflateRatio) {
    throw new PngError(
      `${deflated.length} compressed bytes cannot hold ${width} by ${height} coverage bits`,
      0,
    );
  }
  return { bounds, width, height, bits: await inflateAll([deflated], byteLength) };
}

/** A picture of another kind: the browser decodes it, and it is cut into tiles that fit textures. */
async function decodeColours(png: Uint8Array, options: DecodeOptions): Promise<ColourFrame> {
  const blob = new Blob([png.slice()], { type: "image/png" });
  let whole: ImageBitmap;
  try {
    whole = await createImageBitmap(blob, { premultiplyAlpha: "premultiply", colorSpaceConversion: "none" });
  } catch (cause) {
    throw new PngError("the browser cannot decode this picture", 0, { cause });
  }
  const { width: widthPx, height: heightPx } = whole;
  const size = options.maxTilePx;
  if (widthPx <= size && heightPx <= size) {
    return { kind: "colour", widthPx, heightPx, tiles: [{ columnStart: 0, rowStart: 0, bitmap: whole }] };
  }
  const tiles: ColourTile[] = [];
  for (let rowStart = 0; rowStart < heightPx; rowStart += size) {
    for (let columnStart = 0; columnStart < widthPx; columnStart += size) {
      const width = Math.min(size, widthPx - columnStart);
      const height = Math.min(size, heightPx - rowStart);
      const bitmap = await createImageBitmap(whole, columnStart, rowStart, width, height);
      tiles.push({ columnStart, rowStart, bitmap });
    }
  }
  whole.close();
  return { kind: "colour", widthPx, heightPx, tiles };
}
