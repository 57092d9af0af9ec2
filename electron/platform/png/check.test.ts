// These pictures are built by hand, so that the standard decides and not the project's own writer.
import { deflateSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PNG_SIGNATURE } from "../../../shared/png/chunks.ts";
import { isPngError } from "../../../shared/png/png-error.ts";
import { checkPng } from "./check.ts";
import { makeChunk } from "./support/make-chunk.ts";

const seed = 16;
const maxPixels = 10_000;

interface Draft {
  readonly widthPx?: number;
  readonly heightPx?: number;
  readonly bitDepth?: number;
  readonly colorType?: number;
  readonly interlace?: number;
  readonly palette?: Uint8Array;
  /** Length of each row in bytes, without its filter byte. */
  readonly rowBytes: readonly number[];
  readonly filter?: number;
}

function makePng(draft: Draft): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(draft.widthPx ?? 5, 0);
  header.writeUInt32BE(draft.heightPx ?? 3, 4);
  header.set([draft.bitDepth ?? 8, draft.colorType ?? 6, 0, 0, draft.interlace ?? 0], 8);
  const rows = draft.rowBytes.map((length) =>
    Buffer.concat([Buffer.of(draft.filter ?? 0), Buffer.alloc(length)]),
  );
  return Buffer.concat([
    PNG_SIGNATURE,
    makeChunk("IHDR", header),
    ...(draft.palette ? [makeChunk("PLTE", draft.palette)] : []),
    makeChunk("IDAT", deflateSync(Buffer.concat(rows))),
    makeChunk("IEND", Buffer.alloc(0)),
  ]);
}

const rows = (length: number): number[] => [length, length, length];

describe("a valid PNG", () => {
  test.each<[string, Draft]>([
    ["RGBA of 8 bits", { rowBytes: rows(20) }],
    ["RGBA of 16 bits", { bitDepth: 16, rowBytes: rows(40) }],
    ["gray and opacity", { colorType: 4, rowBytes: rows(10) }],
    ["RGB", { colorType: 2, rowBytes: rows(15) }],
    ["one bit of gray", { bitDepth: 1, colorType: 0, rowBytes: rows(1) }],
    ["a palette of two bits", { bitDepth: 2, colorType: 3, palette: Buffer.alloc(12), rowBytes: rows(2) }],
    ["the last filter", { filter: 4, rowBytes: rows(20) }],
    // 5 by 3 pixels in seven passes: 1 column and 1 row, 1 and 1, none (no row 4), 1 and 1, 3 and 1, 2 and 2, 5 and 1.
    ["interlaced RGBA", { interlace: 1, rowBytes: [4, 4, 4, 12, 8, 8, 20] }],
  ])("of the kind %s passes the check", async (_name, draft) => {
    expect(await checkPng(makePng(draft), maxPixels)).toMatchObject({ widthPx: 5, heightPx: 3 });
  });

  test("passes the check up to the most pixels allowed", async () => {
    const png = makePng({ rowBytes: rows(20) });
    await expect(checkPng(png, 15)).resolves.toBeDefined();
    await expect(checkPng(png, 14)).rejects.toThrow("15 pixels; 1 to 14 are allowed");
  });
});

describe("an invalid PNG", () => {
  test.each<[string, Draft, string]>([
    ["too few rows", { rowBytes: [20, 20] }, "must inflate to 63 bytes but gives 42"],
    ["too many rows", { rowBytes: [...rows(20), 20] }, "inflate to more than the 63 bytes"],
    ["an unknown filter", { filter: 5, rowBytes: rows(20) }, "filter 5, which does not exist"],
    ["an unknown depth", { bitDepth: 4, rowBytes: rows(10) }, "bit depth 4 with color type 6"],
    ["an unknown color type", { colorType: 7, rowBytes: rows(20) }, "color type 7"],
    ["no width", { widthPx: 0, rowBytes: [] }, "0 pixels"],
    [
      "a size that its bytes cannot hold",
      { widthPx: 100, heightPx: 100, rowBytes: [1] },
      "cannot inflate to",
    ],
    ["no palette", { colorType: 3, rowBytes: rows(5) }, "no palette of 1 to 256 entries"],
    ["an unknown interlace", { interlace: 2, rowBytes: rows(20) }, "interlace method does not exist"],
  ])("is refused because of %s", async (_name, draft, message) => {
    await expect(checkPng(makePng(draft), maxPixels)).rejects.toThrow(message);
  });

  test("with any changed or missing byte is refused with a PngError, or is still valid", async () => {
    const png = makePng({ rowBytes: rows(20) });
    const changes = fc.record({ at: fc.nat(png.length - 1), to: fc.nat(255), cut: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(changes, async ({ at, to, cut }) => {
        const changed = cut
          ? png.slice(0, at)
          : Uint8Array.from(png, (byte, index) => (index === at ? to : byte));
        try {
          await checkPng(changed, maxPixels);
          expect(cut || png[at] !== to).toBe(false);
        } catch (error) {
          if (!isPngError(error)) throw error;
        }
      }),
      { seed, numRuns: 300 },
    );
  });
});
