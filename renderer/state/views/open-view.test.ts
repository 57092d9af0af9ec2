import { afterEach, expect, test, vi } from "vitest";
import { longestViewLink, parseLink, toLink } from "../../../shared/views/view-link.ts";
import { toNewestView } from "../../../shared/views/citable-view.ts";
import type { StormClient } from "../../api/client.ts";
import {
  exampleEvent,
  exampleEventId,
  exampleHistory,
  exampleStore,
  steadyFrames,
  type ExampleFrame,
} from "../../support/example-data.ts";
import { createMemory } from "../../support/memory-storage.ts";
import { startPanes } from "../panes/pane-session.ts";
import { savedViewKey, SavedView, keepSaved } from "../saved-view.ts";
import { createStoredValue } from "../../platform/stored-value.ts";
import { createViewerStore, type ViewerStore } from "../store.ts";
import { toScene } from "../to-scene.ts";
import { captureView } from "./capture-view.ts";
import { keepView, leaveView, openViewFile, openViewText, stopOpening } from "./open-view-text.ts";
import { openView } from "./open-view.ts";
import type { ViewScreen } from "./view-parts.ts";

const closes: (() => void)[] = [];
afterEach(() => {
  for (const close of closes.splice(0)) close();
});

/** Draws at once what the scene asks for, as a map does when all frames are there. */
function draw(store: ViewerStore): void {
  const look = (): void => {
    const scene = toScene(store.getState());
    const { view, wantedCamera, picture, receiveDrawn, receiveView } = store.getState();
    const { eventId, sequence } = scene;
    if (wantedCamera && (view?.zoom !== wantedCamera.zoom || view.center !== wantedCamera.center)) {
      const { center, zoom } = wantedCamera;
      receiveView({ center, zoom, bounds: [-100, 36, -90, 46] });
    }
    const layers = scene.layers.filter(({ visible, frame }) => visible && frame).map(({ id }) => id);
    const isNew = picture.drawn?.sequence !== sequence || picture.drawn?.layers.join() !== layers.join();
    if (eventId === undefined || sequence === undefined || !isNew) return;
    receiveDrawn({ eventId, sequence, layers, failed: [], overlays: {} });
  };
  closes.push(store.subscribe(look));
  look();
}

function openScreen(store: ViewerStore): ViewScreen {
  const pending = (): Promise<never> => new Promise<never>(() => undefined);
  const panes = startPanes({
    paneA: { letter: "A", store, followPublished: () => () => undefined, retry: () => undefined },
    client: { listEarlierRevisions: pending, listRevisions: pending } as unknown as StormClient,
    effects: {
      isPublic: false,
      isVisible: () => true,
      openSocket: () => ({ send: () => undefined, close: () => undefined }),
      random: () => 0.5,
      onNextFrame: () => () => undefined,
    },
    startPane: () => () => undefined,
  });
  closes.push(panes.close);
  store.getState().receiveView({ center: [-95, 41], zoom: 6, bounds: [-100, 36, -90, 46] });
  draw(store);
  return { store, panes };
}

const open = (frames: readonly ExampleFrame[]): ViewScreen => openScreen(exampleStore(frames));

test("a view captured on one screen is the same on another, through its link", async () => {
  const screen = open(steadyFrames(9));
  const state = screen.store.getState();
  state.setKnownAt(7);
  state.goTo(5);
  state.setPalette("nws");
  state.setHailUnits("mm");
  state.setTheme("light");
  state.setGroundPart("airports", true);
  state.setLayerOpacity("mrms-mesh", 0.4);
  state.setLayerShowFrom("mrms-mesh", 25.4);
  state.pinPlace({ label: "Ames, IA", coordinate: [-93.6, 42] });
  state.receiveView({ center: [-93.123456789012, 42.1], zoom: 7.123456789, bounds: [-95, 41, -91, 43] });
  const view = captureView(screen)!;
  expect(view.panes[0]).toMatchObject({ revision: { sequence: 5, id: "r5" }, latest: 9, knownAt: 7 });

  const another = open(steadyFrames(12));
  expect(await openView(another, parseLink(toLink(view)))).toEqual([]);
  expect(captureView(another)).toEqual({ ...view, panes: [{ ...view.panes[0], latest: 12 }] });
});

test("an event whose label no view may have is named by its id", () => {
  const store = exampleStore(steadyFrames(3));
  store.setState(({ events }) => ({
    events: { ...events, list: events.list.map((event) => ({ ...event, label: "turned \u202e text" })) },
  }));
  const view = captureView(openScreen(store))!;
  expect(parseLink(toLink(view)).panes[0]!.event.label).toBe(exampleEventId);
});

test("a view that follows the newest leaves the playhead on it", async () => {
  const screen = open(steadyFrames(4));
  screen.store.getState().goTo(2);
  const view = toNewestView(captureView(screen)!);
  const another = open(steadyFrames(6));
  another.store.getState().goTo(1);
  expect(await openView(another, view)).toEqual([]);
  expect(another.store.getState().playhead).toEqual({ mode: "pinned" });
});

test("a revision that was replaced since is shown as it was, and said", async () => {
  const screen = open(steadyFrames(4));
  screen.store.getState().goTo(2);
  const another = open([...steadyFrames(4), { sequence: 5, minute: 2, variant: "b" }]);
  const differences = await openView(another, captureView(screen)!);
  expect(differences).toMatchObject([{ kind: "revision-replaced", replacedBy: 5 }]);
  expect(another.store.getState().playhead).toMatchObject({ mode: "held", sequence: 2 });
});

test("a revision that is missing leaves the newest on screen", async () => {
  const screen = open(steadyFrames(4));
  screen.store.getState().goTo(2);
  const another = open(steadyFrames(4).filter(({ sequence }) => sequence !== 2));
  expect(await openView(another, captureView(screen)!)).toMatchObject([{ kind: "revision-missing" }]);
  expect(another.store.getState().playhead).toEqual({ mode: "pinned" });
});

test("the view waits for older pages of the history", async () => {
  const screen = open(steadyFrames(30));
  screen.store.getState().goTo(3);
  const another = open(steadyFrames(30).slice(20));
  const opening = openView(another, captureView(screen)!);
  expect(another.store.getState().playhead).toEqual({ mode: "pinned" });
  another.store.getState().receiveOlder(exampleEventId, exampleHistory(steadyFrames(20)), 21);
  expect(await opening).toEqual([]);
  expect(another.store.getState().playhead).toMatchObject({ mode: "held", sequence: 3 });
});

test("the largest values so far stay those of the view when more are published", async () => {
  const screen = open(steadyFrames(6));
  screen.store.getState().goTo(4);
  screen.store.getState().toggleSoFar();
  const view = captureView(screen)!;
  expect(view.panes[0]?.soFar).toMatchObject({ product: "mrms-mesh", first: 1, frames: 4 });
  const another = open([...steadyFrames(6), { sequence: 7, minute: 2, variant: "b" }]);
  const abort = new AbortController();
  const opening = openView(another, view, abort.signal);
  await vi.waitFor(() => {
    expect(another.store.getState()).toMatchObject({ isSoFarOn: true, knownAt: 6, loop: "all" });
  });
  abort.abort();
  await opening;
});

test("without the event nothing changes, and it is said", async () => {
  const view = captureView(open(steadyFrames(4)))!;
  const store = createViewerStore();
  store.getState().receiveEvents([exampleEvent({ id: "another" })]);
  const screen = openScreen(store);
  const before = store.getState();
  expect(await openView(screen, { ...view, theme: "light" })).toMatchObject([{ kind: "event-missing" }]);
  expect(store.getState()).toEqual(before);
});

test.each([
  ["view-invalid", "echotop://view?v=1&follow=pinned"],
  ["view-invalid", "{}"],
  ["view-too-large", `echotop://view?${"a".repeat(longestViewLink)}`],
  ["view-version-unknown", `echotop://view?v=7&follow=pinned`],
])("a hostile text is refused as %s, and changes nothing", async (code, text) => {
  const screen = open(steadyFrames(4));
  const before = screen.store.getState();
  await openViewText(screen, text);
  const { openedView, ...after } = screen.store.getState();
  expect(openedView).toMatchObject({ phase: "refused", code });
  expect({ ...after, openedView: undefined }).toEqual(before);
});

test("a view of somebody's is not saved; leaving it gives everything back, keeping it saves it", async () => {
  const view = captureView(open(steadyFrames(4)))!;
  const link = toLink({ ...view, theme: "light", pins: [{ label: "Ames, IA", coordinate: [-93.6, 42] }] });
  const screen = open(steadyFrames(5));
  const { store } = screen;
  const stored = createStoredValue(savedViewKey, SavedView, createMemory());
  closes.push(keepSaved(store, stored));
  store.getState().pinPlace({ label: "Des Moines, IA", coordinate: [-93.6, 41.6] });
  const own = store.getState();

  await openViewText(screen, link);
  expect(store.getState()).toMatchObject({ theme: "light", openedView: { phase: "shown" } });
  expect(stored.load()).toMatchObject({ theme: "dark", pins: [{ label: "Des Moines, IA" }] });
  await leaveView(screen);
  expect(store.getState()).toMatchObject({
    ...{ theme: "dark", pins: own.pins, playhead: { mode: "pinned" }, openedView: undefined },
    layerPreferences: own.layerPreferences,
  });
  expect(stored.load()).toMatchObject({ theme: "dark", pins: [{ label: "Des Moines, IA" }] });

  await openViewText(screen, link);
  keepView(screen);
  expect(stored.load()).toMatchObject({ theme: "light", pins: [{ label: "Ames, IA" }] });
});

test("a view that is opened while another waits is the one on screen", async () => {
  const source = open(steadyFrames(30));
  source.store.getState().goTo(3);
  const early = captureView(source)!;
  source.store.getState().goTo(25);
  const late = captureView(source)!;
  const screen = open(steadyFrames(30).slice(20));
  const first = openView(screen, { ...early, theme: "light" });
  expect(await openView(screen, late)).toEqual([]);
  screen.store.getState().receiveOlder(exampleEventId, exampleHistory(steadyFrames(20)), 21);
  expect(await first).toEqual([]);
  expect(screen.store.getState()).toMatchObject({ theme: "dark", playhead: { mode: "held", sequence: 25 } });
});

test("an opening that ends for something else gives the person's settings back", async () => {
  const source = open(steadyFrames(30));
  source.store.getState().goTo(3);
  const link = toLink({ ...captureView(source)!, theme: "light" });
  const screen = open(steadyFrames(30).slice(20));
  const { store } = screen;
  const opening = openViewText(screen, link);
  await vi.waitFor(() => {
    expect(store.getState()).toMatchObject({ theme: "light", isVisiting: true });
  });
  stopOpening(screen);
  await opening;
  expect(store.getState()).toMatchObject({ theme: "dark", isVisiting: false, openedView: undefined });
});

test("the note names the event as it is named here, whatever the link says", async () => {
  const view = captureView(open(steadyFrames(4)))!;
  const [pane] = view.panes;
  const event = { ...pane!.event, label: "Tornado emergency for Norman" };
  const screen = open(steadyFrames(4));
  await openViewText(screen, toLink({ ...view, panes: [{ ...pane!, event }] }));
  expect(screen.store.getState().openedView).toMatchObject({ phase: "shown", label: pane!.event.label });
});

test("a file that cannot be read is told, and changes nothing", async () => {
  const screen = open(steadyFrames(4));
  await openViewFile(screen, {
    size: 10,
    text: () => Promise.reject(new DOMException("", "NotReadableError")),
  });
  expect(screen.store.getState()).toMatchObject({
    isVisiting: false,
    openedView: {
      phase: "refused",
      message: "The file could not be read; it may have been moved or deleted.",
    },
  });
});

test("a frame that the service did not give is told, though the rest is drawn", async () => {
  const view = captureView(open(steadyFrames(4)))!;
  const screen = open(steadyFrames(4));
  const { imageUrl } = screen.store.getState().history.all.at(-1)!.layers[0]!;
  const failed = { status: "failed", message: "The connection failed.", retryAtMs: Infinity } as const;
  screen.store.getState().receiveFrameStates({ [imageUrl]: failed });
  expect((await openView(screen, view)).map(({ sentence }) => sentence)).toContain(
    "The Composite reflectivity frame of revision 4 could not be read; open the view again later.",
  );
});
