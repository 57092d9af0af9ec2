// The story of a place from revisions and readings: what stands, what stood before, and the first window that reached
// a size.
import { describe, expect, test } from "vitest";
import type { PlaceReading } from "../../../shared/analysis/place-reading.ts";
import { mostReadingsOfPlace } from "../../platform/viewer-limits.ts";
import { exampleEventId, exampleHistory, exampleStore, instantOf } from "../../support/example-data.ts";
import type { ExampleFrame } from "../../support/example-data.ts";
import { toRevisions, type Revision } from "../timeline/revisions.ts";
import type { FrameReading } from "../slices/story-slice.ts";
import { findFirstReached, type Threshold } from "./first-reached.ts";
import { toPlaceStory, type StoryReadings } from "./place-story.ts";
import { findUnread, startStoryReading } from "./story-reading.ts";

const oneInch: Threshold = { id: "mrms-mesh", from: 25.4 };
const below: PlaceReading = { kind: "below" };

function hail(lower: number): PlaceReading {
  return { kind: "class", index: 1, range: { lower, upper: lower + 0.8 } };
}

/** Reads the hail of minute and variant, such as `4a`; every other frame says nothing. */
function readingsOf(revisions: readonly Revision[], sizes: Readonly<Record<string, number>>): StoryReadings {
  const readings = new Map<string, FrameReading>();
  for (const { layers } of revisions) {
    for (const { id, imageUrl, observedAt } of layers) {
      const minute = Number(observedAt.slice(14, 16));
      const size = id === "mrms-mesh" ? sizes[`${minute}${/-(\w+)\.png/.exec(imageUrl)![1]!}`] : undefined;
      const cell = size === undefined ? below : hail(size);
      readings.set(imageUrl, { cell, nearby: cell });
    }
  }
  return { readings, reach: "cell" };
}

function revisionsOf(frames: readonly ExampleFrame[]): Revision[] {
  return toRevisions(exampleHistory(frames));
}

describe("the first window that reached a size", () => {
  test("is the earliest, and a later publication that changes it is told", () => {
    const revisions = revisionsOf([
      { sequence: 1, minute: 0 },
      { sequence: 2, minute: 2 },
      { sequence: 3, minute: 4 },
      { sequence: 4, minute: 2, variant: "b" },
      { sequence: 5, minute: 2, variant: "c" },
    ]);
    const wanted = readingsOf(revisions, { "4a": 25.4, "2b": 30 });
    const { moves } = findFirstReached(revisions, oneInch, wanted);
    expect(moves.map(({ revision, observedAt }) => [revision.sequence, observedAt])).toEqual([
      [3, instantOf(4)],
      [4, instantOf(2)],
      [5, instantOf(4)],
    ]);
    const known = findFirstReached(revisions.slice(0, 4), oneInch, wanted);
    expect(known.moves.at(-1)?.observedAt).toBe(instantOf(2));
  });

  test("is taken back when a correction leaves nothing", () => {
    const revisions = revisionsOf([
      { sequence: 1, minute: 0 },
      { sequence: 2, minute: 0, variant: "b" },
    ]);
    const { moves } = findFirstReached(revisions, oneInch, readingsOf(revisions, { "0a": 51 }));
    expect(moves.map(({ observedAt }) => observedAt)).toEqual([instantOf(0), undefined]);
  });

  test("is never below the size, and counts the unreadable windows before it", () => {
    const revisions = revisionsOf([
      { sequence: 1, minute: 0 },
      { sequence: 2, minute: 2 },
      { sequence: 3, minute: 4 },
      { sequence: 4, minute: 6 },
    ]);
    const wanted = readingsOf(revisions, { "0a": 24.60625, "4a": 25.4 });
    const readings = new Map(wanted.readings);
    for (const at of [1, 3]) readings.set(revisions[at]!.layers[1]!.imageUrl, { problem: "Damaged." });
    expect(findFirstReached(revisions, oneInch, { ...wanted, readings })).toMatchObject({
      moves: [{ observedAt: instantOf(4) }],
      failedWindows: 1,
    });
  });
});

describe("the story of a place", () => {
  test("has each window once, with what a correction replaced and what was not delivered", () => {
    const revisions = revisionsOf([
      { sequence: 1, minute: 0 },
      { sequence: 2, minute: 2, only: "mrms-reflectivity" },
      { sequence: 3, minute: 0, variant: "b" },
    ]);
    const { windows, readCount, ids } = toPlaceStory(
      revisions,
      readingsOf(revisions, { "0a": 10, "0b": 20 }),
    );
    expect(ids).toEqual(["mrms-reflectivity", "mrms-mesh"]);
    expect(readCount).toBe(2);
    expect(windows.map(({ newest }) => newest.sequence)).toEqual([3, 2]);
    expect(windows[0]!.layers[1]).toMatchObject({ cell: hail(20), before: hail(10), since: { sequence: 3 } });
    expect(windows[1]!.layers[1]).toMatchObject({ cell: { kind: "not-delivered" }, before: undefined });
    expect(windows[1]!.layers[0]!.before).toBeUndefined();
  });

  test("keeps the publication of a layer that a completion leaves as it is", () => {
    const revisions = revisionsOf([
      { sequence: 1, minute: 0, only: "mrms-reflectivity" },
      { sequence: 2, minute: 0 },
    ]);
    const [window] = toPlaceStory(revisions, readingsOf(revisions, {})).windows;
    expect(window!.layers.map(({ since, before }) => [since.sequence, before])).toEqual([
      [1, undefined],
      [2, undefined],
    ]);
  });
});

describe("the frames to read", () => {
  const frames: readonly ExampleFrame[] = [
    { sequence: 1, minute: 2 },
    { sequence: 2, minute: 0 },
    { sequence: 3, minute: 2, variant: "b" },
  ];

  test("come by time of observation, each once, with the pins that lack a reading", () => {
    const store = exampleStore(frames);
    store.getState().chooseEvent(exampleEventId);
    store.getState().receiveHistory(exampleEventId, exampleHistory(frames));
    expect(findUnread(store.getState())).toEqual([]);
    store.getState().pinPlace({ label: "Ames", coordinate: [-93.6, 42] });
    const unread = findUnread(store.getState());
    expect(unread.map(({ imageUrl }) => /(\d\d)00000Z?-(\w)\.png/.exec(imageUrl)?.slice(1).join(""))).toEqual(
      ["00a", "00a", "02a", "02b", "02a", "02b"],
    );
    const { imageUrl } = unread[0]!;
    const coordinate = [-93.6, 42] as const;
    store.getState().receiveReadings([
      { coordinate: [...coordinate], imageUrl, reading: { cell: below, nearby: below } },
      { coordinate: [...coordinate], imageUrl: unread[1]!.imageUrl, reading: { problem: "Damaged." } },
    ]);
    expect(findUnread(store.getState()).map((frame) => frame.imageUrl)).toEqual(
      unread.slice(1).map((frame) => frame.imageUrl),
    );
    store.getState().pinPlace({ label: "Boone", coordinate: [-93.9, 42] });
    expect(findUnread(store.getState())[0]).toMatchObject({ imageUrl, places: [[-93.9, 42]] });
  });
});

describe("reading a story", () => {
  const frames: readonly ExampleFrame[] = [1, 2, 3, 4].map((sequence) => ({
    sequence,
    minute: 2 * sequence,
  }));

  test('goes on while "As known at" moves, and begins again for what arrives', () => {
    const store = exampleStore(frames);
    store.getState().pinPlace({ label: "Ames", coordinate: [-93.6, 42] });
    store.getState().setKnownAt(2);
    const lists: number[] = [];
    const stop = startStoryReading(store, {
      read: (list) => lists.push(list.length),
      close: () => undefined,
    });
    store.getState().setKnownAt(1);
    store.getState().setKnownAt(3);
    store.getState().backToNow();
    expect(lists).toEqual([8]);
    store.getState().receiveHistory(exampleEventId, exampleHistory([...frames, { sequence: 5, minute: 10 }]));
    expect(lists).toEqual([8, 10]);
    stop();
  });

  test("keeps as many readings of a place as the longest event has frames, the newest ones", () => {
    const { getState } = exampleStore([]);
    const read = (from: number, count: number): void => {
      getState().receiveReadings(
        Array.from({ length: count }, (_, index) => ({
          coordinate: [-93.6, 42],
          imageUrl: `${from + index}.png`,
          reading: { cell: below, nearby: below },
        })),
      );
    };
    read(0, mostReadingsOfPlace);
    read(0, 1);
    read(mostReadingsOfPlace, 2);
    const kept = getState().readings.get("-93.6,42")!;
    expect(kept.size).toBe(mostReadingsOfPlace);
    expect([0, 1, 2, 3].filter((index) => kept.has(`${index}.png`))).toEqual([0, 3]);
  });
});

describe("pins", () => {
  test("open the story in order of observation, and give way to the order chosen meanwhile", () => {
    const { getState } = exampleStore([]);
    getState().pinPlace({ label: "Ames", coordinate: [-93.6, 42] });
    expect(getState().timelineOrder).toBe("observed");
    getState().removePin(0);
    expect(getState().timelineOrder).toBe("published");
    getState().pinPlace({ label: "Ames", coordinate: [-93.6, 42] });
    getState().setTimelineOrder("published");
    getState().setTimelineOrder("observed");
    getState().setStoryOpen(false);
    expect(getState().timelineOrder).toBe("observed");
  });

  test("are five at most, each place once, and the choice stays on its place", () => {
    const { getState } = exampleStore([]);
    for (let count = 0; count < 6; count++)
      getState().pinPlace({ label: `Place ${count}`, coordinate: [count, 0] });
    expect(getState()).toMatchObject({ chosenPin: 4, pinsAreFull: true, storyOpen: true });
    expect(getState().pins.map(({ label }) => label)).toEqual([0, 1, 2, 3, 4].map((at) => `Place ${at}`));
    getState().pinPlace({ label: "again", coordinate: [2, 0] });
    expect(getState()).toMatchObject({ chosenPin: 2, pinsAreFull: false });
    getState().removePin(0);
    expect(getState().pins[getState().chosenPin]!.label).toBe("Place 2");
    getState().removePin(1);
    expect(getState().pins[getState().chosenPin]!.label).toBe("Place 3");
    for (let count = 0; count < 3; count++) getState().removePin(0);
    expect(getState()).toMatchObject({ pins: [], chosenPin: 0, storyOpen: false });
  });
});
