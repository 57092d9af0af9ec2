import { expect, test, vi } from "vitest";
import { toCellFrame } from "../../../shared/analysis/cell-frame.ts";
import { toClassFrame } from "../../../shared/analysis/support/cell-plane.ts";
import { findMatchingAreas, isAnyCovered } from "../../../shared/analysis/watch/matching-areas.ts";
import type { Bounds } from "../../../shared/contract/index.ts";
import type { LatLonGrid } from "../../../shared/geo/grid.ts";
import { exampleEvent, exampleEventId, exampleHistory, instantOf } from "../../support/example-data.ts";
import type { ExampleFrame } from "../../support/example-data.ts";
import { createStoredValue } from "../../platform/stored-value.ts";
import { createMemory } from "../../support/memory-storage.ts";
import { createViewerStore, type ViewerStore } from "../store.ts";
import { KeptTold, keptToldKey, mostKeptPoints, rulePart, saveTold } from "./kept-told.ts";
import { isQuiet, type WatchRule } from "./watch-rule.ts";
import { startWatch } from "./watch-session.ts";

const grid: LatLonGrid = {
  ...{ columns: 60, rows: 30, westUdeg: -100_000_000, northUdeg: 46_000_000 },
  ...{ spacingXUdeg: 100_000, spacingYUdeg: 100_000 },
};

const rule: WatchRule = {
  ...{ id: "one", isOn: true, layer: "mrms-reflectivity", lower: 60, area: { kind: "event" } },
  ...{ notice: true, sound: true, speech: true, quiet: null },
};

/** Frames of every other minute. */
const wholeDay = Array.from({ length: 40 }, (_, index) => ({ sequence: index + 1, minute: index * 2 }));

/**
 * The storms of the simulated day by frame: A reaches 60 dBZ at minute 16 and moves east until minute 60; B is far from
 * it from minute 50 on. The backfill of minute 9 and the correction of minute 4 have a storm of their own.
 */
function cellsOf(minute: number, variant: string): [row: number, column: number, value: number][] {
  const a = (minute - 16) / 4;
  return [
    ...(minute >= 10 && minute <= 60
      ? ([[5, 5 + Math.max(0, Math.floor(a)), 50 + Math.min(20, minute - 6)]] as const)
      : []),
    ...(minute >= 50 ? ([[25, 50, 65]] as const) : []),
    ...(variant !== "a" ? ([[15, 30, 70]] as const) : []),
  ].map(([row, column, value]) => [row, column, value]);
}

interface Day {
  readonly store: ViewerStore;
  readonly told: string[];
  readonly idle: () => Promise<void>;
  readonly stop: () => void;
}

/** Opens the viewer in a tab with this storage. */
function createDay(tab = createMemory(), watchRules = [rule]): Day {
  const store = createViewerStore({ watchRules });
  const told: string[] = [];
  let open = 0;
  const stop = startWatch({
    store,
    analysis: {
      findAreas: ({ frame, lower, ground }) => {
        open++;
        const [, hour, past, variant] = /T(\d\d)(\d\d)\d*Z-(\w+)\.png/.exec(frame.imageUrl)!;
        const minute = (Number(hour) - 11) * 60 + Number(past);
        const indices = new Uint8Array(grid.rows * grid.columns);
        for (const [row, column, value] of cellsOf(minute, variant!))
          indices[row * grid.columns + column] = (value - 5) * 2 + 1;
        const covered = Array.from(indices, () => true);
        const cells = toCellFrame(toClassFrame({ grid, indices, covered }))!;
        open--;
        return Promise.resolve({
          areas: findMatchingAreas(cells, lower, ground),
          isCovered: isAnyCovered(cells, ground),
        });
      },
    },
    describePlace: () => Promise.resolve("9 miles northeast of Norman"),
    announce: (storm) => told.push(new Date(storm.observedMs).toISOString()),
    kept: createStoredValue(keptToldKey, KeptTold, tab),
  });
  // The session works through promises alone.
  const idle = (): Promise<void> => vi.waitUntil(() => open === 0).then(() => undefined);
  return { store, told, idle, stop };
}

async function publish(day: Day, frames: readonly ExampleFrame[]): Promise<void> {
  day.store.getState().receiveHistory(exampleEventId, exampleHistory(frames));
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  await day.idle();
}

test("over a day a rule tells each storm once, and neither history, backfill nor correction", async () => {
  const day = createDay();
  day.store.getState().receiveEvents([exampleEvent()]);
  const frames: ExampleFrame[] = [0, 2, 4, 6].map((minute, index) => ({ sequence: index + 1, minute }));
  const add = async (minute: number, variant?: string): Promise<void> => {
    frames.push({ sequence: frames.length + 1, minute, ...(variant !== undefined && { variant }) });
    await publish(day, frames);
  };
  await publish(day, frames);
  for (let minute = 10; minute <= 20; minute += 2) await add(minute);
  expect(day.told).toEqual([instantOf(16)]);

  await add(8, "backfill");
  await add(4, "correction");
  expect(day.told).toEqual([instantOf(16)]);

  // A reconnect reads the same list again, and another that lacks nothing.
  await publish(day, frames);
  await publish(day, [...frames]);
  for (let minute = 22; minute <= 70; minute += 2) await add(minute);
  expect(day.told).toEqual([instantOf(16), instantOf(50)]);
  expect(day.store.getState().stormsTold.map(({ place }) => place)).toEqual([
    "9 miles northeast of Norman",
    "9 miles northeast of Norman",
  ]);
  day.stop();
});

test("a rule for what is in view looks there, and nowhere without a map", async () => {
  const told = async (bounds: Bounds | undefined): Promise<string[]> => {
    const day = createDay(createMemory(), [{ ...rule, area: { kind: "view" } }]);
    day.store.getState().receiveEvents([exampleEvent()]);
    if (bounds) day.store.getState().receiveView({ center: [-97, 44.5], zoom: 6, bounds });
    for (const count of [8, 9, 10]) await publish(day, wholeDay.slice(0, count));
    day.stop();
    return day.told;
  };
  expect(await told([-100, 43, -94, 46])).toEqual([instantOf(16)]);
  expect(await told([-100, 43, -98, 45])).toEqual([]);
  expect(await told(undefined)).toEqual([]);
});

test("a storm that a correction of the newest window brings is told, and with its next correction not again", async () => {
  const day = createDay();
  day.store.getState().receiveEvents([exampleEvent()]);
  const frames: ExampleFrame[] = [2, 4, 6].map((minute, index) => ({ sequence: index + 1, minute }));
  await publish(day, frames.slice(0, 2));
  await publish(day, frames);
  expect(day.told).toEqual([]);
  await publish(day, [...frames, { sequence: 4, minute: 6, variant: "corrected" }]);
  expect(day.told).toEqual([instantOf(6)]);
  await publish(day, [
    ...frames,
    { sequence: 4, minute: 6, variant: "corrected" },
    { sequence: 5, minute: 6, variant: "again" },
    { sequence: 6, minute: 2, variant: "backfill" },
  ]);
  expect(day.told).toEqual([instantOf(6)]);
  day.stop();
});

test("after a time without connection only the newest window counts", async () => {
  const day = createDay();
  day.store.getState().receiveEvents([exampleEvent()]);
  await publish(day, wholeDay.slice(0, 5));
  await publish(day, wholeDay.slice(0, 34));
  expect(day.told).toEqual([instantOf(66)]);
  day.stop();
});

test("opening an event with its history tells nothing, nor does a rule that is off", async () => {
  const day = createDay();
  day.store.getState().receiveEvents([exampleEvent()]);
  await publish(day, wholeDay.slice(0, 30));
  day.store.getState().setWatchRules([{ ...rule, isOn: false }]);
  await publish(day, wholeDay.slice(0, 31));
  expect(day.told).toEqual([]);
  day.stop();
});

/** Sees the storm of minute 16 be told, and the tab closed after minute 20. */
async function tellFirst(tab: ReturnType<typeof createMemory>): Promise<void> {
  const day = createDay(tab);
  day.store.getState().receiveEvents([exampleEvent()]);
  for (const count of [8, 9, 10, 11]) await publish(day, wholeDay.slice(0, count));
  expect(day.told).toEqual([instantOf(16)]);
  day.stop();
}

/** Opens the viewer again after minute 20, and returns what it tells up to minute 56. */
async function tellAgain(tab: ReturnType<typeof createMemory>, watchRules = [rule]): Promise<string[]> {
  const day = createDay(tab, watchRules);
  day.store.getState().receiveEvents([exampleEvent()]);
  for (let count = 11; count <= 29; count++) await publish(day, wholeDay.slice(0, count));
  day.stop();
  return day.told;
}

test("after a reload a storm is not told again, but a new one is", async () => {
  const tab = createMemory();
  await tellFirst(tab);
  expect(await tellAgain(tab)).toEqual([instantOf(50)]);
});

test("after a reload a rule that is told in another way remembers; one that looks for something else does not", async () => {
  const tab = createMemory();
  await tellFirst(tab);
  const entries = { ...tab.entries };
  expect(await tellAgain(createMemory({ ...entries }), [{ ...rule, sound: false }])).toEqual([instantOf(50)]);
  expect(await tellAgain(createMemory({ ...entries }), [{ ...rule, lower: 62 }])).toEqual([
    instantOf(22),
    instantOf(50),
  ]);
});

test.each([
  ["of another event", (text: string) => text.replace(`"${exampleEventId}"`, '"texas"')],
  ["damaged", (text: string) => text.slice(1)],
  ["of another form", (text: string) => text.replaceAll('"points"', '"cells"')],
])("storms that are %s are forgotten", async (_, change) => {
  const tab = createMemory();
  await tellFirst(tab);
  tab.entries[keptToldKey] = change(tab.entries[keptToldKey]!);
  expect(await tellAgain(tab)).toEqual([instantOf(22), instantOf(50)]);
});

test("of too many storms those seen last are kept", () => {
  const tab = createMemory();
  const stored = createStoredValue(keptToldKey, KeptTold, tab);
  const storms = [1, 3, 2].map((observedMs) => ({
    observedMs,
    points: Array.from({ length: mostKeptPoints / 2 }, (): [number, number] => [-97, 35]),
  }));
  const part = rulePart(rule);
  saveTold(stored, { eventId: exampleEventId, byRule: { [part]: storms, removed: storms } }, [rule]);
  const { byRule } = stored.load()!;
  expect(Object.keys(byRule)).toEqual([part]);
  expect(byRule[part]!.map(({ observedMs }) => observedMs)).toEqual([3, 2]);
});

test.each([
  [null, 3 * 60, false],
  [{ from: "22:00", to: "06:00" }, 3 * 60, true],
  [{ from: "22:00", to: "06:00" }, 6 * 60, false],
  [{ from: "22:00", to: "06:00" }, 22 * 60, true],
  [{ from: "09:00", to: "10:30" }, 10 * 60 + 29, true],
  [{ from: "09:00", to: "10:30" }, 8 * 60 + 59, false],
])("quiet hours %j at minute %d: %s", (quiet, minute, expected) => {
  expect(isQuiet({ quiet }, minute)).toBe(expected);
});
