import { expect, test } from "vitest";
import type { Coordinate } from "../../shared/contract/index.ts";
import type { NearestEstimate, VerifiedReport } from "../../shared/reports/report-verification.ts";
import type { StormReport } from "../../shared/reports/storm-report.ts";
import { destination, distanceKm, kmPerNauticalMile } from "../../shared/geo/sphere.ts";
import type { ToolMarks } from "../map/tools/tool-drawing.ts";
import { createViewerStore } from "../state/store.ts";
import { createToolMarksSelector } from "./tool-marks.ts";

const start: Coordinate = [-97.6, 35.18];
const firstMs = Date.UTC(2026, 4, 20, 21, 24, 39);

test("a motion has a tick at each whole ten minutes, where the storm is then", () => {
  const { getState } = createViewerStore({ selectedEventId: "storm" });
  getState().toggleTool("motion", "storm");
  getState().addToolPoint({ coordinate: start, observedMs: firstMs });
  const tenKm = (28 * kmPerNauticalMile) / 6;
  getState().addToolPoint({ coordinate: destination(start, 80, tenKm), observedMs: firstMs + 600_000 });
  const { ticks, lines, fan } = createToolMarksSelector()(getState());
  expect(ticks.map(({ words }) => words)).toEqual(["21:40", "21:50", "22:00", "22:10", "22:20", "22:30"]);
  for (const [index, { at, bearing }] of ticks.entries()) {
    const minutes = 15.35 + 10 * index;
    expect(distanceKm(start, at)).toBeCloseTo((tenKm * minutes) / 10, 3);
    expect(Math.abs(bearing - 80)).toBeLessThan(1);
  }
  expect(lines.map(({ kind }) => kind)).toEqual(["set", "ahead"]);
  expect(fan?.length).toBeGreaterThan(10);
  expect(createToolMarksSelector()({ ...getState(), selectedEventId: "other" }).lines).toEqual([]);
});

test("a line is carried on to the place of the arrival", () => {
  const { getState } = createViewerStore({ selectedEventId: "storm" });
  getState().toggleTool("motion", "storm");
  getState().addToolPoint({ coordinate: start, observedMs: firstMs });
  getState().addToolPoint({ coordinate: destination(start, 80, 8), observedMs: firstMs + 600_000 });
  getState().setArrivalAt({ label: "Far", coordinate: destination(start, 80, 80) });
  const { ticks } = createToolMarksSelector()(getState());
  // The place is 100 minutes ahead, and its window is 17 minutes longer.
  expect(ticks.at(-1)!.words).toBe("23:20");
});

test("rings stand at the chosen spacing around the first point", () => {
  const { getState } = createViewerStore();
  getState().toggleTool("measure", undefined);
  getState().setLengthUnit("nmi");
  getState().setRings({ ringSpacing: 10 });
  const select = createToolMarksSelector();
  expect(select(getState()).lines).toEqual([]);
  getState().addToolPoint({ coordinate: start, observedMs: undefined });
  const { lines, labels } = select(getState());
  expect(labels.map(({ words }) => words)).toEqual(["10 nmi", "20 nmi", "30 nmi", "40 nmi"]);
  for (const point of lines[2]!.points) expect(distanceKm(start, point)).toBeCloseTo(55.56, 6);
});

test("a line joins the chosen report to the estimate that its card names, once it is known", () => {
  const report: StormReport = { kind: "hail", atMs: firstMs, coordinate: start, sizeMm: 25.4 };
  const estimate = (km: number): NearestEstimate => ({
    ...{ center: destination(start, 70, km), distanceKm: km, range: { lower: 25, upper: 30 } },
    ...{ sequence: 3, observedAt: new Date(firstMs).toISOString() },
  });
  const near = { report, verdict: "hit", atPlace: undefined } as const;
  const { getState } = createViewerStore({ selectedEventId: "storm" });
  const marksOf = (verified: VerifiedReport): ToolMarks =>
    createToolMarksSelector()({
      ...getState(),
      chosenReport: report,
      compared: { ...getState().compared, verified: [verified] },
    });
  const largest = estimate(15);
  const ofSize = estimate(6);
  const found = marksOf({ ...near, nearest: [undefined, largest, largest], ofSize });
  expect(found.cells).toEqual([ofSize.center]);
  expect(found.lines.map(({ kind, points }) => [kind, points[0], points.at(-1)])).toEqual([
    ["link", start, ofSize.center],
  ]);
  expect(marksOf({ ...near, nearest: [undefined, largest, largest], ofSize: undefined }).cells).toEqual([
    largest.center,
  ]);
  expect(marksOf({ ...near, nearest: [undefined, undefined, undefined], ofSize: undefined })).toMatchObject({
    cells: [],
    lines: [],
  });
});
