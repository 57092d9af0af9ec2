// The formats of a saved loop, and which of them this browser writes.
import type { LoopFormat } from "../../state/slices/loops-slice.ts";
import type { SheetSize } from "../sheet-drawer.ts";
import type { VideoCodec } from "mediabunny";

export type VideoFormat = Extract<LoopFormat, "mp4" | "webm">;
export type AnimationFormat = Exclude<LoopFormat, VideoFormat>;

interface FormatFacts {
  /** Codecs of a video, the preferred one first. */
  readonly codecs: readonly VideoCodec[];
  /** Largest width and height of the format. */
  readonly mostPx: number;
  /** Bits of a pixel that a video's encoder may use; it uses fewer where little moves. */
  readonly mostBits: number;
  /** Bits of a pixel that the demonstration needed: the first guess of a file's size. */
  readonly bitsPerPixel: number;
}

export const formatFacts: Readonly<Record<LoopFormat, FormatFacts>> = {
  mp4: { codecs: ["avc"], mostPx: 16_384, mostBits: 0.7, bitsPerPixel: 0.5 },
  webm: { codecs: ["vp9", "vp8"], mostPx: 16_384, mostBits: 0.5, bitsPerPixel: 0.35 },
  gif: { codecs: [], mostPx: 65_535, mostBits: Infinity, bitsPerPixel: 0.45 },
  webp: { codecs: [], mostPx: 16_383, mostBits: Infinity, bitsPerPixel: 1.6 },
};

export function isVideo(format: LoopFormat): format is VideoFormat {
  return formatFacts[format].codecs.length > 0;
}

/** Returns the size of a loop's frames: video needs even numbers. */
export function toLoopSize({ widthPx, heightPx }: SheetSize): SheetSize {
  return { widthPx: widthPx - (widthPx % 2), heightPx: heightPx - (heightPx % 2) };
}

/** Returns the bit rate that the encoder aims at, in bits a second. */
export function toBitRate(
  format: VideoFormat,
  { widthPx, heightPx }: SheetSize,
  framesPerSecond: number,
): number {
  return Math.round(formatFacts[format].mostBits * widthPx * heightPx * framesPerSecond);
}
