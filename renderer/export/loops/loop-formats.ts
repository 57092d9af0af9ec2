// The formats of a saved loop, and which of them this browser writes.
import type { LoopFormat } from "../../state/slices/loops-slice.ts";
import type { SheetSize } from "../sheet-drawer.ts";
import type { VideoCodec } from "mediabunny";

export type VideoFormat = Extract<LoopFormat, "mp4" | "webm">;
export type AnimationFormat = Exclude<LoopFormat, VideoFormat>;

interface FormatFacts {
  readonly label: string;
  /** Codecs of a video, the preferred one first. */
  readonly codecs: readonly VideoCodec[];
  /** Largest width and height of the format. */
  readonly mostPx: number;
  /** Bits of a pixel of a frame: the target of a video, and what an animation needed on average. */
  readonly bitsPerPixel: number;
}

export const formatFacts: Readonly<Record<LoopFormat, FormatFacts>> = {
  mp4: { label: "MP4", codecs: ["avc"], mostPx: 16_384, bitsPerPixel: 0.7 },
  webm: { label: "WebM", codecs: ["vp9", "vp8"], mostPx: 16_384, bitsPerPixel: 0.5 },
  gif: { label: "GIF", codecs: [], mostPx: 65_535, bitsPerPixel: 0.8 },
  webp: { label: "WebP", codecs: [], mostPx: 16_383, bitsPerPixel: 0.8 },
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
  return Math.round(formatFacts[format].bitsPerPixel * widthPx * heightPx * framesPerSecond);
}
