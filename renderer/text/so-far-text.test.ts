import { describe, expect, test } from "vitest";
import type { LineMark } from "../../shared/analysis/swath-marks.ts";
import type { MissingWindow, SwathWindow } from "../../shared/analysis/window-layers.ts";
import type { SwathFacts } from "../frames/analysis-messages.ts";
import type { Revision } from "../state/timeline/revisions.ts";
import type { SoFar } from "../state/so-far/so-far-windows.ts";
import {
  missingNote,
  nothingWords,
  spanWords,
  toAreaFacts,
  toMissingRuns,
  toSoFarLegend,
  toSwathLabels,
} from "./so-far-text.ts";

function missingAt(minutes: readonly number[], why: MissingWindow["why"] = "not-published"): MissingWindow[] {
  return minutes.map((minute) => ({
    observedAt: new Date(Date.UTC(2026, 4, 20, 21, minute)).toISOString(),
    why,
  }));
}

function noteOf(missing: readonly MissingWindow[]): string | undefined {
  return missingNote({ windows: 45, used: 45 - missing.length, missing });
}

describe("the windows of the largest so far", () => {
  test("have a span in minutes, with its days over midnight", () => {
    const at = (hour: number, minute: number): number => Date.UTC(2026, 4, 20, hour, minute, 39);
    expect(spanWords({ fromMs: at(21, 0), toMs: at(22, 28) })).toBe("21:00–22:28");
    expect(spanWords({ fromMs: at(21, 0), toMs: at(21, 0) })).toBe("21:00");
    expect(spanWords({ fromMs: at(23, 0), toMs: at(25, 10) })).toBe("20 May 2300Z–21 May 2026 0110Z");
  });

  test("that are missing are named up to five, and counted beyond", () => {
    expect(noteOf([])).toBeUndefined();
    expect(noteOf(missingAt([14, 16, 40]))).toBe("missing 21:14, 21:16, 21:40");
    expect(noteOf(missingAt([2, 4, 6, 8, 10, 14]))).toBe("missing 6");
  });

  test("that are missing in a row for one cause are one line", () => {
    expect(toMissingRuns([...missingAt([14, 16]), ...missingAt([18], "failed"), ...missingAt([40])])).toEqual(
      [
        { times: "21:14–21:16", why: "not published" },
        { times: "21:18", why: "failed to load" },
        { times: "21:40", why: "not published" },
      ],
    );
  });
});

describe("areas of the largest so far", () => {
  const classes = [
    { lower: 12.7, cells: 400, km2: 400 },
    { lower: 25.4, cells: 900, km2: 911.1 },
    { lower: 50.8, cells: 49, km2: 48.9 },
  ];

  test("count from each line up, in two digits, in the chosen unit first", () => {
    expect(toAreaFacts("mrms-mesh", classes, "in")).toEqual([
      { label: "1 in or larger", value: "about 370 mi²", other: "about 960 km²" },
      { label: "2 in or larger", value: "about 19 mi²", other: "about 49 km²" },
    ]);
    expect(toAreaFacts("mrms-mesh", classes, "mm")[0]).toEqual({
      label: "25.4 mm or larger",
      value: "about 960 km²",
      other: "about 370 mi²",
    });
  });

  test("of nothing, and of less than one, claim no more", () => {
    const [first, second] = toAreaFacts("mrms-reflectivity", [{ lower: 45, cells: 1, km2: 0.9 }], "mm");
    expect([first!.label, first!.value]).toEqual(["40 dBZ or stronger", "less than 1 km²"]);
    expect(second!.value).toBe("none");
  });
});

test("without any value the words name the first class and the windows that were read", () => {
  expect(nothingWords("mrms-mesh", 42, "in")).toBe("None of ⅛ in or larger in 42 windows");
  expect(nothingWords("mrms-reflectivity", 1, "in")).toBe("None of 5 dBZ or stronger in 1 window");
});

test("the legend has six bands, with the lines at 1 and 2 inches marked", () => {
  const legend = toSoFarLegend("mrms-mesh", "in", undefined);
  expect(legend.map(({ shortLabel }) => shortLabel)).toEqual(["⅛", "½", "1", "1½", "2", "2½+"]);
  expect(legend.filter(({ threshold }) => threshold).map(({ shortLabel }) => shortLabel)).toEqual(["1", "2"]);
  expect(toSoFarLegend("mrms-reflectivity", "in", undefined).at(-1)).toMatchObject({
    shortLabel: "65+",
    color: "#ffdbe6",
  });
});

test("the bands of the legend have their cells", () => {
  const classes = [
    { lower: 25.4, cells: 1200, km2: 1100 },
    { lower: 38.1, cells: 1, km2: 0.9 },
  ];
  const labels = toSoFarLegend("mrms-mesh", "in", classes).map(({ label }) => label);
  expect(labels.slice(1, 4)).toEqual([
    "0.50–1.00 in · 12.7–25.4 mm: 0 cells",
    "1.00–1.50 in · 25.4–38.1 mm: 1,200 cells",
    "1.50–2.00 in · 38.1–50.8 mm: 1 cell",
  ]);
});

test("the words on the map name the contours, and the storm of now unless its window has no frame", () => {
  const layer = { id: "mrms-mesh", observedAt: "2026-05-20T22:28:39Z", imageUrl: "a.png" } as const;
  const known = { layer, since: undefined } as never;
  const missing = { missing: { observedAt: "2026-05-20T22:28:00Z", why: "not-published" } } as const;
  const toMs = Date.UTC(2026, 4, 20, 22, 28, 39);
  const lines: LineMark[] = [{ lower: 25.4, coordinate: [1, 2] }];
  const facts: SwathFacts = { parts: ["used"], classes: [], lines, storm: [3, 4] };
  const wordsOf = (window: SwathWindow<Revision>): string[] =>
    toSwathLabels({ soFar: { ...soFar, toMs, windows: [window] }, facts }, "in").map(({ words }) => words);
  expect(wordsOf(known)).toEqual(["1 in", "now, 22:28"]);
  expect(wordsOf(missing)).toEqual(["1 in"]);
});

const soFar: SoFar = {
  product: "mrms-mesh",
  ...{ fromMs: 0, toMs: 0, laterStartMs: undefined, windows: [] },
  ...{ frames: [], picture: undefined, knownAt: undefined },
};
