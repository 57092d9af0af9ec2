// Reads what a frame's PNG says besides its pixels: size, palette, class table and radar coverage. Frames are 8-bit
// palette pictures; another service may send pictures in colors instead.
import { maxFramePixels } from "../contract/frame-format.ts";
import { FrameClasses, FrameCoverage } from "../contract/frame-metadata.ts";
import { frameClassesKeyword, frameCoverageKeyword } from "../contract/frame-metadata.ts";
import type { PngChunk } from "../png/chunks.ts";
import { HEADER_BYTES, MAX_INFLATION, parseHeader } from "../png/header.ts";
import type { PngHeader } from "../png/header.ts";
import { PngError } from "../png/png-error.ts";
import { findText } from "../png/png-text.ts";
import type { CoverageGrid } from "./coverage-grid.ts";

export interface IndexedFrameParts {
  readonly header: PngHeader;
  readonly chunks: readonly PngChunk[];
  /** 256 entries of red, green, blue, alpha, not premultiplied; transparent where the file has no entry. */
  readonly palette: Uint8Array<ArrayBuffer>;
  /** Undefined in a picture from another service. */
  readonly classes: FrameClasses | undefined;
  readonly coverage: CoverageGrid | undefined;
}

/** Inflates one zlib stream into exactly `byteLength` bytes; throws for a stream that gives fewer or more. */
export type Inflate = (deflated: Uint8Array, byteLength: number) => Promise<Uint8Array<ArrayBuffer>>;

const paletteEntries = 256;

/**
 * Returns undefined for a picture in colors.
 * @throws PngError for a picture that is too large, a damaged palette, or texts that break their contract; the errors
 * of
 *   `inflate`
 */
export async function readFrameParts(
  chunks: readonly PngChunk[],
  inflate: Inflate,
): Promise<IndexedFrameParts | undefined> {
  const { content, offset } = chunks[0]!;
  checkSize(chunks);
  if (!isIndexed(content)) return undefined;
  return {
    header: parseHeader(content, offset),
    chunks,
    palette: readPalette(chunks),
    classes: readJsonText(chunks, frameClassesKeyword, FrameClasses),
    coverage: await readCoverage(chunks, inflate),
  };
}

/** Returns the compressed pieces of the picture, in order. */
export function findPictureData(chunks: readonly PngChunk[]): Uint8Array[] {
  return chunks.filter(({ type }) => type === "IDAT").map(({ content }) => content);
}

/** Returns true for 8 bits, palette, not interlaced. */
function isIndexed(header: Uint8Array): boolean {
  return header[8] === 8 && header[9] === 3 && header[12] === 0;
}

/** Refuses a size that the compressed bytes cannot hold, before anything is allocated for it. */
function checkSize(chunks: readonly PngChunk[]): void {
  const { content, offset } = chunks[0]!;
  if (content.length < HEADER_BYTES) throw new PngError("the image header is cut short", offset);
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const pixels = view.getUint32(0) * view.getUint32(4);
  if (pixels === 0 || pixels > maxFramePixels) {
    throw new PngError(`a picture must have 1 to ${maxFramePixels} pixels but has ${pixels}`, offset);
  }
  const compressed = findPictureData(chunks).reduce((sum, part) => sum + part.length, 0);
  // Every color type takes at least one bit per pixel.
  const leastBytes = isIndexed(content) ? pixels : pixels / 8;
  if (leastBytes > compressed * MAX_INFLATION) {
    throw new PngError(`${compressed} compressed bytes cannot hold ${pixels} pixels`, offset);
  }
}

function readPalette(chunks: readonly PngChunk[]): Uint8Array<ArrayBuffer> {
  const colors = chunks.find(({ type }) => type === "PLTE");
  const count = (colors?.content.length ?? 0) / 3;
  if (!colors || !Number.isInteger(count) || count < 1 || count > paletteEntries) {
    throw new PngError(
      `the palette must have 1 to ${paletteEntries} entries of 3 bytes`,
      colors?.offset ?? 0,
    );
  }
  const opacities = chunks.find(({ type }) => type === "tRNS")?.content;
  const palette = new Uint8Array(paletteEntries * 4);
  for (let entry = 0; entry < count; entry++) {
    palette.set(colors.content.subarray(entry * 3, entry * 3 + 3), entry * 4);
    palette[entry * 4 + 3] = opacities?.[entry] ?? 255;
  }
  return palette;
}

function readJsonText<T>(
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
  throw new PngError(`the text ${keyword} is invalid`, 0, { cause: parsed.error });
}

/** Decodes base64; browsers, workers and Node have it, but `shared/` has no DOM types. */
declare const atob: (base64: string) => string;

async function readCoverage(
  chunks: readonly PngChunk[],
  inflate: Inflate,
): Promise<CoverageGrid | undefined> {
  const coverage = readJsonText(chunks, frameCoverageKeyword, FrameCoverage);
  if (!coverage) return undefined;
  const { bounds, width, height } = coverage;
  const deflated = Uint8Array.from(atob(coverage.bits), (letter) => letter.charCodeAt(0));
  const byteLength = Math.ceil((width * height) / 8);
  if (byteLength > deflated.length * MAX_INFLATION) {
    throw new PngError(
      `${deflated.length} compressed bytes cannot hold ${width} by ${height} coverage bits`,
      0,
    );
  }
  return { bounds, width, height, bits: await inflate(deflated, byteLength) };
}
