// Small pictures that stand for frames in tests.
import { encodePng } from "../../platform/png/write.ts";

/** Renders a small picture of its own shade, one of 2^24. */
export function pictureOf(shade: number): Uint8Array {
  return encodePng({
    widthPx: 2,
    heightPx: 2,
    bitDepth: 8,
    colorType: "palette",
    palette: Uint8Array.of(shade >> 16, shade >> 8, shade, 255, 255, 255),
    rows: Uint8Array.of(0, 1, 1, 0),
  });
}
