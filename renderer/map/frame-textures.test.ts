import fc from "fast-check";
import { expect, test } from "vitest";
import { coarsestLevel } from "../frames/index-pyramid.ts";
import { toTileBlocks } from "./frame-textures.ts";

test("tiles cover it once, and fit the GPU", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40_000 }),
      fc.integer({ min: 1, max: 20_000 }),
      fc.integer({ min: 1024, max: 16_384 }),
      (width, height, most) => {
        let area = 0;
        for (const block of toTileBlocks(width, height, most)) {
          const across = block.columnEnd - block.columnStart;
          const down = block.rowEnd - block.rowStart;
          expect(Math.max(across, down)).toBeLessThanOrEqual(most);
          expect(Math.min(across, down)).toBeGreaterThan(0);
          expect((block.rowStart | block.columnStart) % 2 ** coarsestLevel).toBe(0);
          area += across * down;
        }
        expect(area).toBe(width * height);
      },
    ),
    { seed: 6, numRuns: 100 },
  );
});
