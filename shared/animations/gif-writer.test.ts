import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { countColors } from "./changed-pixels.ts";
import { createGifFrames, createHundredths, toGifHead, toGifTail } from "./gif-writer.ts";

const widthPx = 24;
const heightPx = 16;

/** Returns the file of frames that each stay 100 ms. Pixels are 0xAABBGGRR. */
function write(frames: readonly Uint32Array[], exactColors: readonly number[] = [], comment = ""): Buffer {
  const toFrame = createGifFrames(widthPx, heightPx, exactColors);
  const parts = [toGifHead({ widthPx, heightPx }, Buffer.from(comment))];
  for (const [index, pixels] of frames.entries())
    parts.push(toFrame(countColors(pixels, frames[index - 1]), 10));
  return Buffer.concat([...parts, toGifTail()]);
}

async function read(file: Buffer): Promise<Uint32Array[]> {
  const { buffer } = new Uint8Array(await sharp(file, { pages: -1 }).ensureAlpha().raw().toBuffer());
  const pixels = new Uint32Array(buffer);
  const length = widthPx * heightPx;
  return Array.from({ length: pixels.length / length }, (_, index) =>
    pixels.slice(index * length, (index + 1) * length),
  );
}

/** Joins the blocks of the comment extension, 0x21 0xFE. */
function readComment(file: Buffer): string {
  const blocks = [];
  let at = file.indexOf(Buffer.of(0x21, 0xfe)) + 2;
  for (; file[at] !== 0; at += file[at]! + 1) blocks.push(file.subarray(at + 1, at + 1 + file[at]!));
  return Buffer.concat(blocks).toString("utf8");
}

function opaque(color: number): number {
  return (color | 0xff00_0000) >>> 0;
}

const palette = fc.array(fc.nat(0xff_ffff).map(opaque), { minLength: 1, maxLength: 60 });
const frames = palette.chain((colors) =>
  fc.array(
    fc
      .array(fc.constantFrom(...colors), { minLength: widthPx * heightPx, maxLength: widthPx * heightPx })
      .map((pixels) => Uint32Array.from(pixels)),
    { minLength: 2, maxLength: 4 },
  ),
);

describe("an animated GIF", () => {
  test("shows another reader the same pixels while its colors are few", async () => {
    await fc.assert(
      fc.asyncProperty(frames, async (list) => {
        expect(await read(write(list))).toEqual(list);
      }),
      { numRuns: 30 },
    );
  });

  test("keeps the legends' colors exactly among more colors than it can have", async () => {
    const exact = [0x12_34_56, 0xe6_49_03, 0xfc_fe_fd].map(opaque);
    const pixels = Uint32Array.from({ length: widthPx * heightPx }, (_, index) =>
      index < 3 ? exact[index]! : opaque(index * 43_000),
    );
    const [shown] = await read(write([pixels, pixels.slice()], exact));
    expect([...shown!.slice(0, 3)]).toEqual(exact);
    expect(new Set(shown).size).toBeLessThanOrEqual(255);
    for (const [index, color] of shown!.entries()) {
      const wanted = pixels[index]!;
      for (const shift of [0, 8, 16]) {
        expect(Math.abs(((color >> shift) & 0xff) - ((wanted >> shift) & 0xff))).toBeLessThan(64);
      }
    }
  });

  test("carries a comment of any length, and times of hundredths of a second", async () => {
    const list = [
      new Uint32Array(widthPx * heightPx).fill(opaque(1)),
      new Uint32Array(widthPx * heightPx).fill(opaque(2)),
    ];
    const comment = "Synthetic: these storms never happened. ".repeat(20);
    const file = write(list, [], comment);
    expect(await sharp(file, { pages: -1 }).metadata()).toMatchObject({
      pages: 2,
      delay: [100, 100],
      loop: 0,
    });
    expect(readComment(file)).toBe(comment);
  });

  test("loses no time to rounding", () => {
    const toHundredths = createHundredths();
    const written = Array.from({ length: 150 }, () => toHundredths(1000 / 15));
    expect(written.reduce((sum, hundredths) => sum + hundredths)).toBe(1000);
    expect(new Set(written)).toEqual(new Set([6, 7]));
  });
});
