import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { toWebpFrame, toWebpHead, toWebpLength, toWebpTail, webpLengthPosition } from "./webp-writer.ts";

interface Frame {
  readonly pixels: Uint8Array;
  readonly durationMs: number;
}

const size = fc.record({
  widthPx: fc.integer({ min: 1, max: 40 }),
  heightPx: fc.integer({ min: 1, max: 40 }),
});
const animation = size.chain((chosen) =>
  fc.record({
    size: fc.constant(chosen),
    frames: fc.array(
      fc.record({
        pixels: fc
          .uint8Array({
            minLength: chosen.widthPx * chosen.heightPx,
            maxLength: chosen.widthPx * chosen.heightPx,
          })
          .map((gray) => Uint8Array.from([...gray].flatMap((value) => [value, 255 - value, value % 7, 255]))),
        durationMs: fc.integer({ min: 1, max: 5000 }),
      }),
      { minLength: 2, maxLength: 5 },
    ),
  }),
);

async function write(
  { widthPx, heightPx }: { widthPx: number; heightPx: number },
  frames: readonly Frame[],
  xmp: string,
): Promise<Buffer> {
  const parts: Uint8Array[] = [toWebpHead({ widthPx, heightPx })];
  for (const { pixels, durationMs } of frames) {
    const raw = { raw: { width: widthPx, height: heightPx, channels: 4 } } as const;
    const still = await sharp(pixels, raw).webp({ lossless: true, exact: true }).toBuffer();
    parts.push(toWebpFrame(new Uint8Array(still), { widthPx, heightPx }, { durationMs, isOver: false }));
  }
  parts.push(toWebpTail(new TextEncoder().encode(xmp)));
  const file = Buffer.concat(parts);
  file.set(toWebpLength(file.length), webpLengthPosition);
  return file;
}

describe("an animated WebP file", () => {
  test("shows another reader the same pixels, times and XMP", async () => {
    await fc.assert(
      fc.asyncProperty(
        animation,
        fc.string({ unit: "grapheme", minLength: 1 }),
        async ({ size, frames }, xmp) => {
          const file = await write(size, frames, xmp);
          const facts = await sharp(file, { pages: -1 }).metadata();
          expect(facts.pages).toBe(frames.length);
          expect(facts.delay).toEqual(frames.map(({ durationMs }) => durationMs));
          expect(facts.loop).toBe(0);
          expect(new TextDecoder().decode(facts.xmp)).toBe(xmp);
          const shown = await sharp(file, { pages: -1 }).ensureAlpha().raw().toBuffer();
          expect(shown.equals(Buffer.concat(frames.map(({ pixels }) => pixels)))).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  });

  test("refuses a still without pixels, cut at any byte", async () => {
    const raw = { raw: { width: 4, height: 4, channels: 4 } } as const;
    const still = new Uint8Array(
      await sharp(new Uint8Array(64).fill(200), raw).webp({ lossless: true }).toBuffer(),
    );
    for (let length = 0; length < still.length; length++) {
      const cut = () =>
        toWebpFrame(still.slice(0, length), { widthPx: 4, heightPx: 4 }, { durationMs: 1, isOver: false });
      expect(cut).toThrow(RangeError);
    }
  });
});
