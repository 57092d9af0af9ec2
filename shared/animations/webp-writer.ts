// Writes an animated WebP file around frames that were compressed as stills. WebP container: VP8X, ANIM, one ANMF a
// frame, XMP (developers.google.com/speed/webp/docs/riff_container).

const hasAnimation = 0x02;
const hasXmp = 0x04;
const hasAlpha = 0x10;
/** Frames repeat without end. */
const loopCount = 0;
/** ANMF flag: the frame replaces what is below it, instead of being blended with it. */
const replaces = 0x02;
/** Chunks of a still that hold its pixels; a color profile has no place in a frame. */
const pixelChunks = ["ALPH", "VP8 ", "VP8L"];
const mostDurationMs = 2 ** 24 - 1;

export interface WebpSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Bytes of the file before its first frame. The RIFF length is written by `toWebpLength`, once it is known. */
export function toWebpHead({ widthPx, heightPx }: WebpSize): Uint8Array<ArrayBuffer> {
  const extended = new Uint8Array(10);
  extended[0] = hasAnimation | hasXmp | hasAlpha;
  writeUint24(extended, 4, widthPx - 1);
  writeUint24(extended, 7, heightPx - 1);
  const animation = new Uint8Array(6);
  new DataView(animation.buffer).setUint16(4, loopCount, true);
  const riff = new Uint8Array(12);
  writeName(riff, 0, "RIFF");
  writeName(riff, 8, "WEBP");
  return join([riff, toChunk("VP8X", [extended]), toChunk("ANIM", [animation])]);
}

/** Returns the ANMF chunk of a still WebP file. Transparent pixels of a frame that is over another show that one. */
export function toWebpFrame(
  still: Uint8Array<ArrayBuffer>,
  { widthPx, heightPx }: WebpSize,
  frame: { readonly durationMs: number; readonly isOver: boolean },
): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(16);
  writeUint24(head, 6, widthPx - 1);
  writeUint24(head, 9, heightPx - 1);
  writeUint24(head, 12, Math.min(mostDurationMs, frame.durationMs));
  head[15] = frame.isOver ? 0 : replaces;
  return toChunk("ANMF", [head, ...findPixelChunks(still)]);
}

/** Returns what follows the last frame. `xmp` is UTF-8. */
export function toWebpTail(xmp: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return toChunk("XMP ", [xmp]);
}

/** Position of the RIFF length, and its bytes for a file of that many bytes. */
export const webpLengthPosition = 4;
export function toWebpLength(fileBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, fileBytes - 8, true);
  return bytes;
}

/** Returns the chunks with the pixels of a still, each with its padding. Throws RangeError if there are none. */
function findPixelChunks(still: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const view = new DataView(still.buffer, still.byteOffset, still.byteLength);
  const found = [];
  for (let at = 12; at + 8 <= still.length;) {
    const name = String.fromCharCode(...still.subarray(at, at + 4));
    const length = view.getUint32(at + 4, true);
    const end = at + 8 + length + (length % 2);
    if (end > still.length) break;
    if (pixelChunks.includes(name)) found.push(still.subarray(at, end));
    at = end;
  }
  if (found.length === 0) throw new RangeError("This is not a WebP picture.");
  return found;
}

function toChunk(name: string, parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = new Uint8Array(8);
  writeName(head, 0, name);
  new DataView(head.buffer).setUint32(4, length, true);
  return join([head, ...parts, new Uint8Array(length % 2)]);
}

function join(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function writeName(bytes: Uint8Array, at: number, name: string): void {
  for (let index = 0; index < 4; index++) bytes[at + index] = name.charCodeAt(index);
}

function writeUint24(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value & 0xff;
  bytes[at + 1] = (value >> 8) & 0xff;
  bytes[at + 2] = (value >> 16) & 0xff;
}
