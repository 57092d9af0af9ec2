// Reports of overlays over a day, compared in this thread by the analysis worker's reader.
import { afterEach, expect, test, vi } from "vitest";
import { cellCenter, toCellFrame } from "../../../shared/analysis/cell-frame.ts";
import { toClassFrame } from "../../../shared/analysis/support/cell-plane.ts";
import type { LatLonGrid } from "../../../shared/geo/grid.ts";
import type { OverlayContent } from "../../../shared/overlays/overlay.ts";
import type { StormReport } from "../../../shared/reports/storm-report.ts";
import { ReportReader } from "../../frames/report-reader.ts";
import {
  exampleEventId,
  exampleStore,
  instantOf,
  steadyFrames,
  type ExampleFrame,
} from "../../support/example-data.ts";
import type { OverlayDraft } from "../overlays/held-overlay.ts";
import { noneCompared } from "../slices/reports-slice.ts";
import type { ViewerStore } from "../store.ts";
import {
  findSequenceAt,
  selectChosenVerified,
  selectHailReports,
  selectStormReports,
} from "./report-frames.ts";
import { startReports } from "./report-session.ts";

const grid: LatLonGrid = {
  ...{ columns: 20, rows: 20, westUdeg: -96_000_000, northUdeg: 43_000_000 },
  ...{ spacingXUdeg: 100_000, spacingYUdeg: 100_000 },
};

/** Hail from 1.25 to 2 in in one cell; radars see the western half. */
const hail = toClassFrame({
  grid,
  indices: new Uint8Array(grid.rows * grid.columns).with(5 * grid.columns + 5, 2),
  covered: Array.from({ length: grid.rows * grid.columns }, (_, cell) => cell % grid.columns < 10),
});
const frame = toCellFrame({ ...hail, classes: { ...hail.classes, edges: [3.175, 31.75, 50.8] } })!;

function reportAt(row: number, column: number, kind: StormReport["kind"] = "hail"): StormReport {
  return { kind, atMs: Date.parse(instantOf(10)), coordinate: cellCenter(grid, row, column) };
}

function contentOf(...reports: readonly StormReport[]): OverlayContent {
  const shapes = reports.map((report) => ({
    geometry: { type: "Point" as const, coordinates: report.coordinate },
    ...{ fromMs: report.atMs, toMs: report.atMs, report },
  }));
  return { format: "reports-csv", shapes, notes: [] };
}

const closes: (() => void)[] = [];
afterEach(() => {
  for (const close of closes.splice(0)) close();
});

interface Opened {
  readonly store: ViewerStore;
  /** Numbers of reports that were compared, one for each time. */
  readonly asked: number[];
}

/** Frames of minutes 0, 2, … 18 and an overlay with reports, the table of reports closed. */
function open(reports: readonly StormReport[], draft: Partial<OverlayDraft> = {}): Opened {
  const store = exampleStore(steadyFrames(10));
  const drawn = { layers: ["mrms-mesh"] as const, failed: [], overlays: {} };
  store.getState().receiveDrawn({ eventId: exampleEventId, sequence: 10, ...drawn });
  const content = contentOf(...reports);
  store.getState().putOverlay({ id: "reports", name: "hail.csv", content, ...draft });
  const asked: number[] = [];
  const reader = new ReportReader(() => Promise.resolve(frame));
  const verifyReports: Parameters<typeof startReports>[1]["verifyReports"] = async (
    request,
    signal,
    onRead,
  ) => {
    asked.push(request.reports.length);
    return structuredClone(await reader.read(request, { signal, onRead }));
  };
  closes.push(startReports(store, { verifyReports }));
  return { store, asked };
}

async function compare({ store }: Opened): Promise<void> {
  store.getState().setReportsOpen(true);
  await vi.waitUntil(() => store.getState().compared.verified);
}

test.each([
  ["there are none", [], {}, 0],
  ["they are of other kinds", [reportAt(5, 5, "wind"), reportAt(5, 5, "tornado")], {}, 2],
  ["their overlay is off", [reportAt(5, 5)], { isOn: false }, 0],
])("nothing is compared while %s", (_, reports, draft, count) => {
  const { store, asked } = open(reports, draft);
  store.getState().setReportsOpen(true);
  expect(selectStormReports(store.getState())).toHaveLength(count);
  expect(selectHailReports(store.getState())).toEqual([]);
  expect(asked).toEqual([]);
  expect(store.getState().compared).toBe(noneCompared);
});

test("hail reports are compared once their table opens; without radar a report is not covered", async () => {
  const opened = open([reportAt(5, 5), reportAt(15, 2), reportAt(15, 18), reportAt(5, 5, "wind")]);
  expect(opened.asked).toEqual([]);
  await compare(opened);
  const { compared } = opened.store.getState();
  expect(opened.asked).toEqual([3]);
  expect(compared).toMatchObject({ read: 10, total: 10, unreadable: [], problem: undefined });
  expect(compared.verified!.map(({ verdict }) => verdict)).toEqual(["hit", "miss", "not-covered"]);
});

test("a chosen report is found among the compared ones, unless it is of another kind", async () => {
  const [large, wind] = [reportAt(5, 5), reportAt(5, 5, "wind")];
  const opened = open([large, wind]);
  await compare(opened);
  const { store } = opened;
  store.getState().chooseReport(large);
  expect(selectChosenVerified(store.getState())).toMatchObject({ report: large, verdict: "hit" });
  store.getState().chooseReport(wind);
  expect(store.getState().chosenReport).toBe(wind);
  expect(selectChosenVerified(store.getState())).toBeUndefined();
});

test.each<[string, Partial<OverlayDraft>]>([
  ["is off", { isOn: false }],
  ["has other reports", { content: contentOf() }],
  ["is of another event", { eventId: "texas" }],
  ["is made up, and the storm is real", { origin: "synthetic" }],
])("choice and comparison are forgotten when their overlay %s", async (_, draft) => {
  const chosen = reportAt(5, 5);
  const opened = open([chosen]);
  await compare(opened);
  const { store } = opened;
  store.getState().chooseReport(chosen);
  store.getState().putOverlay({ id: "reports", name: "hail.csv", ...draft });
  expect(store.getState()).toMatchObject({ chosenReport: undefined, compared: noneCompared });
});

test("the choice goes with its overlay, not with another one", async () => {
  const chosen = reportAt(5, 5);
  const opened = open([chosen]);
  const { store, asked } = opened;
  store.getState().putOverlay({ id: "roads", name: "roads.geojson" });
  await compare(opened);
  store.getState().chooseReport(chosen);
  store.getState().removeOverlay("roads");
  expect(store.getState().chosenReport).toBe(chosen);
  store.getState().removeOverlay("reports");
  expect(store.getState()).toMatchObject({ chosenReport: undefined, compared: noneCompared });
  expect(asked).toEqual([1]);
});

test.each<[string, ExampleFrame[], number | undefined]>([
  ["the first hail frame from its time on", steadyFrames(10), 6],
  [
    "the last one before, if none comes within 15 minutes",
    [0, 4, 26].map((minute, index) => ({ sequence: index + 1, minute })),
    2,
  ],
  ["the first of all, if none is before", [{ sequence: 1, minute: 40 }], 1],
  ["none, if no frame has hail", [{ sequence: 1, minute: 10, only: "mrms-reflectivity" }], undefined],
])("with a report belongs %s", (_, frames, sequence) => {
  expect(findSequenceAt(exampleStore(frames).getState(), reportAt(5, 5))).toBe(sequence);
});
