import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeMarks, nextOfMark } from "./merge-marks.ts";

describe("marks of corrections", () => {
  test("stand alone where there is room, and become one with a count where they would overlap", () => {
    const placesPx = [100, 110, 118, 300];
    expect(mergeMarks([0, 1, 2, 3], (index) => placesPx[index]!, 24)).toEqual([
      { xPx: 109, indices: [0, 1, 2] },
      { xPx: 300, indices: [3] },
    ]);
  });

  test("do not become one long mark if each is near the next", () => {
    const marks = mergeMarks([0, 1, 2, 3, 4, 5], (index) => index * 20, 24);
    expect(marks.map(({ indices }) => indices)).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
  });

  test("never overlap, and hold every correction once, in order", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(900), { maxLength: 120 }), (places) => {
        const placesPx = places.toSorted((first, second) => first - second);
        const marks = mergeMarks([...placesPx.keys()], (index) => placesPx[index]!, 24);
        expect(marks.flatMap(({ indices }) => indices)).toEqual([...placesPx.keys()]);
        for (const [place, mark] of marks.entries()) {
          if (place > 0) expect(mark.xPx - marks[place - 1]!.xPx).toBeGreaterThanOrEqual(24);
        }
      }),
      { seed: 13, numRuns: 500 },
    );
  });

  test("lead to their corrections one after the other, and begin again", () => {
    const mark = { xPx: 0, indices: [4, 7, 9] };
    expect([undefined, 3, 4, 7, 9].map((shown) => nextOfMark(mark, shown))).toEqual([4, 4, 7, 9, 4]);
  });
});
