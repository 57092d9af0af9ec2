import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classEdges } from "../products/product.ts";
import { mesh } from "../products/mesh.ts";
import { reflectivity } from "../products/reflectivity.ts";
import { firstMarkedIndex, growMarks } from "./marks.ts";

function grow(rows: readonly string[], sizePx = 2): string[] {
  const [widthPx, heightPx] = [rows[0]!.length, rows.length];
  const indices = Uint8Array.from(rows.join(""), Number);
  const grown = growMarks({ widthPx, heightPx, indices }, 5, sizePx);
  return rows.map((_, row) => grown.slice(row * widthPx, (row + 1) * widthPx).join(""));
}

describe("marks", () => {
  test("begin at one inch of hail, and never in reflectivity", () => {
    const index = firstMarkedIndex({ product: mesh.id, unit: mesh.unit, edges: classEdges(mesh) })!;
    expect(classEdges(mesh)[index - 1]).toBe(25.4);
    const { id, unit } = reflectivity;
    expect(firstMarkedIndex({ product: id, unit, edges: classEdges(reflectivity) })).toBeUndefined();
    expect(firstMarkedIndex({ product: mesh.id, unit: mesh.unit, edges: [5, 20] })).toBeUndefined();
  });

  test("make a single pixel two pixels wide, and leave lower classes and wide areas alone", () => {
    expect(grow(["0000", "0600", "0000", "0000"])).toEqual(["0000", "0660", "0660", "0000"]);
    expect(grow(["4000", "0000"])).toEqual(["4000", "0000"]);
    expect(grow(["5500", "5700", "0000"])).toEqual(["5500", "5700", "0000"]);
  });

  test("keep the higher class where they meet another, and end at the picture's edges", () => {
    expect(grow(["5800", "0000"])).toEqual(["5800", "5800"]);
    expect(grow(["0000", "0006"])).toEqual(["0000", "0006"]);
    expect(grow(["6000", "0000", "0000"], 3)).toEqual(["6660", "6660", "6660"]);
  });

  test("lose nothing, invent nothing farther than their size, and make every area wide enough", () => {
    const pictures = fc
      .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 2, max: 4 }))
      .chain(([widthPx, heightPx, sizePx]) =>
        fc
          .array(fc.constantFrom(0, 0, 0, 4, 5, 9), {
            minLength: widthPx * heightPx,
            maxLength: widthPx * heightPx,
          })
          .map((cells) => ({ widthPx, heightPx, sizePx, indices: Uint8Array.from(cells) })),
      );
    fc.assert(
      fc.property(pictures, ({ sizePx, ...picture }) => {
        const { widthPx, indices } = picture;
        const grown = growMarks(picture, 5, sizePx);
        grown.forEach((index, at) => {
          expect(index).toBeGreaterThanOrEqual(indices[at]!);
          const [x, y] = [at % widthPx, Math.floor(at / widthPx)];
          const sources = Array.from({ length: sizePx * sizePx }, (_, step) => {
            const [left, up] = [step % sizePx, Math.floor(step / sizePx)];
            return x - left < 0 || y - up < 0 ? 0 : indices[(y - up) * widthPx + x - left]!;
          });
          if (index !== indices[at]) expect(sources).toContain(index);
          if (indices[at]! < 5) return;
          let [first, last] = [x, x];
          while (first > 0 && grown[y * widthPx + first - 1]! >= 5) first -= 1;
          while (last < widthPx - 1 && grown[y * widthPx + last + 1]! >= 5) last += 1;
          if (last < widthPx - 1) expect(last - first + 1).toBeGreaterThanOrEqual(sizePx);
        });
      }),
      { seed: 11, numRuns: 200 },
    );
  });
});
