import { describe, expect, test } from "vitest";
import { defaultGround } from "../basemap/ground-parts.ts";
import { createStoredValue, type KeyValueStorage } from "../platform/stored-value.ts";
import { exampleEvent, exampleEventId } from "../support/example-data.ts";
import { createMemory } from "../support/memory-storage.ts";
import { keepSaved, SavedView, savedViewKey, toInitialState } from "./saved-view.ts";
import { createViewerStore } from "./store.ts";

describe("the memory of the last visit", () => {
  test("brings back event, layers, palette, units, timeline and camera", () => {
    const memory = createMemory();
    const stored = createStoredValue(savedViewKey, SavedView, memory);
    const store = createViewerStore();
    const stop = keepSaved(store, stored);
    store.getState().receiveEvents([exampleEvent()]);
    store.getState().setLayerOpacity("mrms-mesh", 0.25);
    store.getState().setLayerVisible("mrms-reflectivity", false);
    store.getState().setLayerShowFrom("mrms-reflectivity", 20);
    store.getState().setPalette("color-blind");
    store.getState().setHailUnits("mm");
    store.getState().setTimelineFolded(true);
    store.getState().setFrameLimitMib(512);
    store.getState().receiveView({ center: [-94, 42], zoom: 7.5, bounds: [-96, 40, -92, 44] });
    stop();
    store.getState().setHailUnits("in");

    const saved = stored.load();
    expect(saved?.camera).toEqual({ eventId: exampleEventId, center: [-94, 42], zoom: 7.5 });
    const next = createViewerStore(toInitialState(saved));
    expect(next.getState()).toMatchObject({
      savedEventId: exampleEventId,
      layerPreferences: {
        "mrms-mesh": { opacity: 0.25 },
        "mrms-reflectivity": { visible: false, showFrom: 20 },
      },
      palette: "color-blind",
      hailUnits: "mm",
      timelineFolded: true,
      frameLimitMib: 512,
    });
    expect(next.getState().selectedEventId).toBeUndefined();
  });

  test("brings back the habits, and a habit of another version has its first value", () => {
    const memory = createMemory();
    const stored = createStoredValue(savedViewKey, SavedView, memory);
    const store = createViewerStore();
    keepSaved(store, stored);
    store.getState().setKeys("newest", ["x"]);
    store.getState().setClockHours(12);
    store.getState().setClockZone("place");
    store.getState().setTextSize(125);
    const next = createViewerStore(toInitialState(stored.load())).getState();
    expect(next).toMatchObject({
      ...{ ownKeys: { newest: ["x"] }, clockHours: 12, clockZone: "place", textSize: 125 },
    });

    const kept = JSON.parse(memory.entries[savedViewKey]!) as object;
    memory.entries[savedViewKey] = JSON.stringify({
      ...kept,
      ...{ ownKeys: { gone: ["x"] }, clockZone: "moon" },
    });
    const later = createViewerStore(toInitialState(stored.load())).getState();
    expect(later).toMatchObject({ ownKeys: {}, clockZone: "utc", clockHours: 12 });
  });

  test("without a start where one left off keeps the habits only", () => {
    const stored = createStoredValue(savedViewKey, SavedView, createMemory());
    const store = createViewerStore();
    keepSaved(store, stored);
    store.getState().receiveEvents([exampleEvent()]);
    store.getState().setLayerVisible("mrms-reflectivity", false);
    store.getState().setHailUnits("mm");
    store.getState().setStartsWhereLeft(false);
    const next = createViewerStore(toInitialState(stored.load())).getState();
    expect(next).toMatchObject({ hailUnits: "mm", startsWhereLeft: false, layerPreferences: {} });
    expect(next.savedEventId).toBeUndefined();
  });

  test("brings back the theme and the parts of the ground, and gives new parts their default", () => {
    const memory = createMemory();
    const stored = createStoredValue(savedViewKey, SavedView, memory);
    const store = createViewerStore();
    keepSaved(store, stored);
    store.getState().setTheme("light");
    store.getState().setGroundPart("counties", false);
    store.getState().setGroundPart("radars", true);
    const next = createViewerStore(toInitialState(stored.load())).getState();
    expect(next.theme).toBe("light");
    expect(next.ground).toEqual({ ...defaultGround, counties: false, radars: true });

    const { theme: _theme, ground: _ground, ...older } = stored.load()!;
    memory.entries[savedViewKey] = JSON.stringify({ ...older, ground: { water: false } });
    const old = createViewerStore(toInitialState(stored.load())).getState();
    expect(old.theme).toBe("dark");
    expect(old.ground).toEqual({ ...defaultGround, water: false });
  });

  test("of an earlier version keeps all but its palette, which no longer exists", () => {
    const stored = createStoredValue(savedViewKey, SavedView, createMemory());
    const store = createViewerStore();
    keepSaved(store, stored);
    store.getState().setHailUnits("mm");
    const earlier = JSON.stringify({ ...stored.load(), palette: "standard" });
    const memory = createMemory({ [savedViewKey]: earlier });
    const next = createViewerStore(toInitialState(createStoredValue(savedViewKey, SavedView, memory).load()));
    expect(next.getState()).toMatchObject({ hailUnits: "mm", palette: "echotop" });
  });

  test("gives the order before an open story back when the story closes after a restart", () => {
    const stored = createStoredValue(savedViewKey, SavedView, createMemory());
    const store = createViewerStore();
    keepSaved(store, stored);
    store.getState().pinPlace({ label: "Ames", coordinate: [-93.6, 42] });
    expect(store.getState()).toMatchObject({ storyOpen: true, timelineOrder: "observed" });
    const next = createViewerStore(toInitialState(stored.load()));
    expect(next.getState()).toMatchObject({ storyOpen: true, timelineOrder: "observed" });
    next.getState().setStoryOpen(false);
    expect(next.getState().timelineOrder).toBe("published");
  });

  test("keeps no ends of a loop: they are those of one event", () => {
    const stored = createStoredValue(savedViewKey, SavedView, createMemory());
    const store = createViewerStore();
    keepSaved(store, stored);
    store.getState().setLoop(30);
    expect(stored.load()?.loop).toBe(30);
    store.getState().setLoop({ first: 3, last: 9 });
    expect(stored.load()?.loop).toBe("all");
  });

  test.each([
    ["nothing", undefined],
    ["no JSON", "{"],
    ["another version", JSON.stringify({ version: 2 })],
    ["an opacity out of range", JSON.stringify({ version: 1, layers: { "mrms-mesh": { opacity: 7 } } })],
  ])("that is %s costs nothing but the memory", (_name, text) => {
    const memory = createMemory(text === undefined ? {} : { [savedViewKey]: text });
    const stored = createStoredValue(savedViewKey, SavedView, memory);
    expect(stored.load()).toBeUndefined();
    expect(createViewerStore(toInitialState(stored.load())).getState().palette).toBe("echotop");
  });

  test("is done without where storage refuses", () => {
    const refusing: KeyValueStorage = {
      getItem: () => {
        throw new Error("refused");
      },
      setItem: () => {
        throw new Error("full");
      },
    };
    const stored = createStoredValue(savedViewKey, SavedView, refusing);
    expect(stored.load()).toBeUndefined();
    const store = createViewerStore();
    keepSaved(store, stored);
    expect(() => {
      store.getState().setPalette("color-blind");
    }).not.toThrow();
  });
});
