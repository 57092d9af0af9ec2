// Writes an animated GIF: its head with the comment, and a frame with a palette of its own (GIF89a).
import { GIFEncoder } from "./gif-package.ts";
import { toGifColors, unchangedIndex, type PixelColors } from "./gif-colors.ts";

const trailer = 0x3b;

/** Returns the head of a file that repeats without end. The comment, as UTF-8, says what the pictures are. */
export function toGifHead(
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
  comment: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const size = [widthPx & 0xff, widthPx >> 8, heightPx & 0xff, heightPx >> 8];
  const bytes = [...toCodes("GIF89a"), ...size, 0x70, 0, 0];
  bytes.push(0x21, 0xff, 11, ...toCodes("NETSCAPE2.0"), 3, 1, 0, 0, 0);
  bytes.push(0x21, 0xfe);
  for (let at = 0; at < comment.length; at += 255) {
    const block = comment.subarray(at, at + 255);
    bytes.push(block.length, ...block);
  }
  bytes.push(0);
  return Uint8Array.from(bytes);
}

/** Returns a function that turns the colors of a frame into its bytes. */
export function createGifFrames(widthPx: number, heightPx: number, firstColors: readonly number[]) {
  const encoder = GIFEncoder({ auto: false, initialCapacity: 1 << 20 });
  return (colors: PixelColors, durationCs: number): Uint8Array<ArrayBuffer> => {
    const { indexes, palette } = toGifColors(colors, firstColors);
    encoder.stream.reset();
    encoder.writeFrame(indexes, widthPx, heightPx, {
      palette,
      delay: durationCs * 10,
      dispose: 1,
      transparent: colors.hasUnchanged,
      transparentIndex: unchangedIndex,
    });
    return encoder.bytes();
  };
}

export function toGifTail(): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(trailer);
}

/** Splits durations into hundredths of a second so that their sum stays right. */
export function createHundredths(): (durationMs: number) => number {
  let elapsedMs = 0;
  let written = 0;
  return (durationMs) => {
    elapsedMs += durationMs;
    const hundredths = Math.round(elapsedMs / 10) - written;
    written += hundredths;
    return hundredths;
  };
}

function toCodes(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}
