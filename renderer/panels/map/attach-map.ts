// Connects the map and the store: scenes and the crosshair go to the map, its reports go to the store. An event seen
// for the first time is shown whole, unless a view says where to look.
import type { FrameState, MapPointer, MapView, StormMapEvents } from "../../map/scene.ts";
import { StormMap } from "../../map/storm-map.ts";
import { selectDrawn } from "../../state/selectors.ts";
import type { Probe } from "../../state/slices/picture-slice.ts";
import { toToolPoint } from "../../state/tools/motion-line.ts";
import { createSceneSelector } from "../../state/to-scene.ts";
import type { ViewerState, ViewerStore } from "../../state/store.ts";
import type { MapHandle, Viewer } from "../../viewer-context.ts";
import { findEventBounds, withRoom } from "../events/event-area.ts";
import { followLook, onChange, type Follower } from "./follow-look.ts";
import { followOverlays } from "./follow-overlays.ts";

/** Creates a map in the container; returns the function that removes it. */
export function attachMap(viewer: Viewer, container: HTMLElement): () => void {
  const { store } = viewer;
  const map = new StormMap(container, viewer.analysis, createMapEvents(store, viewer.map));
  viewer.map.attach(map, container);
  const parts = [
    onChange(createSceneSelector(), (scene) => {
      map.setScene(scene);
      queueMicrotask(() => {
        probeAgain(store, map);
      });
    }),
    onChange(
      ({ crosshair }) => crosshair,
      (isShown) => {
        map.setCrosshair(isShown);
      },
    ),
    onChange(
      ({ pinnedPlace }) => pinnedPlace,
      (place) => {
        map.setPin(place);
      },
    ),
    followFrameLimit(map),
    ...followLook(map),
    followOverlays(map),
    onChange(
      ({ userMap }) => userMap,
      (file) => {
        void map.setUserMap(file);
      },
    ),
    followArea(viewer, map),
  ];
  const follow = (state: ViewerState): void => {
    for (const part of parts) part(state);
  };
  follow(store.getState());
  const unsubscribe = store.subscribe(follow);
  const sizes = new ResizeObserver(() => {
    map.resize();
  });
  sizes.observe(container);
  return () => {
    sizes.disconnect();
    unsubscribe();
    viewer.map.detach();
    map.close();
    store.getState().forgetMap();
  };
}

/** Repeats the readings at the pointer and the pin, because the picture below them changed. */
function probeAgain(store: ViewerStore, map: StormMap | undefined): void {
  const { picture, setProbe, setPin } = store.getState();
  const { probe, pin } = picture;
  if (probe && map) setProbe(readAt(map, probe.pointer));
  if (pin && map) setPin(readAt(map, pin.pointer));
}

function readAt(map: StormMap, pointer: MapPointer): Probe {
  const { coordinate } = pointer;
  return {
    pointer,
    readings: map.readProbe(...coordinate),
    overlays: map.readOverlays(...coordinate),
    shapes: map.readShapes(coordinate),
  };
}

function createMapEvents(store: ViewerStore, { find: findMap, moved }: MapHandle): StormMapEvents {
  let frames: Record<string, FrameState> = {};
  let flushing = false;
  return {
    onDrawn: (drawn) => {
      store.getState().receiveDrawn(drawn);
      probeAgain(store, findMap());
    },
    onFrameState: (imageUrl, frame) => {
      frames[imageUrl] = frame;
      if (flushing) return;
      flushing = true;
      // Frames come in bursts; each burst is reported once.
      queueMicrotask(() => {
        flushing = false;
        store.getState().receiveFrameStates(frames);
        frames = {};
      });
    },
    onPointer: (pointer) => {
      const map = findMap();
      store.getState().setProbe(pointer && map ? readAt(map, pointer) : undefined);
    },
    onPin: (pin) => {
      const map = findMap();
      store.getState().setPin(pin && map ? readAt(map, pin) : undefined);
    },
    onPress: (point) => {
      const state = store.getState();
      const { choosePin, chooseReport, setStoryOpen, togglePin, toolTaking, addToolPoint } = state;
      if (toolTaking) {
        addToolPoint(toToolPoint(state, point.coordinate));
        return;
      }
      const report = findMap()
        ?.readShapes(point.coordinate)
        .find(({ shape }) => shape.report?.kind === "hail")?.shape.report;
      if (report) {
        chooseReport(report);
        return;
      }
      const index = findMap()?.findPinAt(point);
      if (index === undefined) {
        togglePin(point);
        return;
      }
      choosePin(index);
      setStoryOpen(true);
    },
    onCache: store.getState().receiveCache,
    onView: store.getState().receiveView,
    onMove: moved,
    onProblem: store.getState().setMapProblem,
    onUserMapProblem: store.getState().receiveUserMapProblem,
  };
}

function followFrameLimit(map: StormMap): Follower {
  let last: string | undefined;
  return ({ frameLimitMib, frameShare }) => {
    const next = `${frameLimitMib} ${frameShare}`;
    if (next !== last) map.setFrameLimit(frameLimitMib, frameShare);
    last = next;
  };
}

/**
 * Shows an event whole when it is first seen: the area in which it has data, and then, with the first picture, its
 * echo. Later returns to the last camera for it.
 */
function followArea(viewer: Viewer, map: StormMap): Follower {
  const cameras = new Map<string, Pick<MapView, "center" | "zoom">>();
  if (viewer.savedCamera) cameras.set(viewer.savedCamera.eventId, viewer.savedCamera);
  // A map that comes back, of a pane that was out of view, returns to where it was.
  const { selectedEventId, view: lastView } = viewer.store.getState();
  if (selectedEventId !== undefined && lastView) cameras.set(selectedEventId, lastView);
  let shownId: string | undefined;
  /** True until the first picture of an event seen for the first time. */
  let awaitsEcho = false;
  let view: MapView | undefined;
  // A map that comes back has been where a view wanted it.
  let wanted = lastView && viewer.store.getState().wantedCamera;
  return (state) => {
    const eventId = state.selectedEventId;
    if (state.wantedCamera !== wanted && state.wantedCamera?.eventId === eventId) {
      wanted = state.wantedCamera;
      shownId = eventId;
      awaitsEcho = false;
      if (wanted) map.showView(wanted);
      return;
    }
    // A view reported before this event was shown belongs to another event.
    if (eventId !== undefined && eventId === shownId && state.view && state.view !== view) {
      cameras.set(eventId, state.view);
    }
    view = state.view;
    if (eventId === undefined) return;
    if (eventId === shownId) {
      const echo = awaitsEcho && selectDrawn(state) ? findEventBounds(state, map) : undefined;
      if (!echo) return;
      awaitsEcho = false;
      map.refineFirstView(withRoom(echo, viewer.map.sizePx().heightPx));
      return;
    }
    const camera = cameras.get(eventId);
    const bounds = findEventBounds(state, map);
    if (!camera && !bounds) return;
    shownId = eventId;
    awaitsEcho = camera === undefined;
    if (camera) map.showView(camera);
    else if (bounds) map.showFirstView(withRoom(bounds, viewer.map.sizePx().heightPx));
  };
}
