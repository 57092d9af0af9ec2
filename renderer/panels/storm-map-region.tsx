// The map on the page: hands scenes to the map and its reports to the store, frames an event the first time it is seen, and
// moves the crosshair by keyboard.
import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from "react";
import type { Bounds } from "../../shared/contract/index.ts";
import { unionBounds } from "../../shared/geo/bounds.ts";
import type { FrameState, MapView, StormMapControl, StormMapEvents } from "../map/scene.ts";
import { StormMap } from "../map/storm-map.ts";
import { createSceneSelector } from "../state/scene.ts";
import { selectDrawn, selectSelectedEvent, selectWantedRevision } from "../state/selectors.ts";
import type { ViewerState, ViewerStore } from "../state/store.ts";
import { useViewer, useViewerState, type Viewer } from "../viewer-context.ts";

/** How far an arrow key moves the crosshair, in CSS pixels. */
const stepPx = 12;
const longStepPx = 96;

export function StormMapRegion(): ReactNode {
  const viewer = useViewer();
  const container = useRef<HTMLDivElement>(null);
  const helpId = useId();
  const sequence = useViewerState((state) => selectDrawn(state)?.sequence);

  useEffect(() => (container.current ? attachMap(viewer, container.current) : undefined), [viewer]);

  function press(event: KeyboardEvent): void {
    // A click leaves the focus inside the map: there the arrows step through the revisions, as they do everywhere else.
    if (event.target !== event.currentTarget) return;
    const move = arrowMove(event.key, event.shiftKey ? longStepPx : stepPx);
    const { crosshair, setCrosshair } = viewer.store.getState();
    if (move) {
      event.preventDefault();
      event.stopPropagation();
      if (crosshair) viewer.map.find()?.panBy(...move);
      else setCrosshair(true);
    } else if (event.key === "Escape" && crosshair) {
      event.preventDefault();
      setCrosshair(false);
    }
  }

  return (
    <div
      className="map-region"
      role="region"
      aria-label="Storm map"
      aria-describedby={helpId}
      tabIndex={0}
      data-sequence={sequence}
      onKeyDown={press}
      onFocus={(event) => {
        if (event.target === event.currentTarget && event.target.matches(":focus-visible")) {
          viewer.store.getState().setCrosshair(true);
        }
      }}
      onBlur={() => {
        viewer.store.getState().setCrosshair(false);
      }}
    >
      <p className="unseen" id={helpId}>
        Arrow keys move a crosshair that reads the layers; Escape leaves it.
      </p>
      <div className="map-container" ref={container} />
    </div>
  );
}

function arrowMove(key: string, px: number): [xPx: number, yPx: number] | undefined {
  switch (key) {
    case "ArrowLeft":
      return [-px, 0];
    case "ArrowRight":
      return [px, 0];
    case "ArrowUp":
      return [0, -px];
    case "ArrowDown":
      return [0, px];
    default:
      return undefined;
  }
}

function attachMap(viewer: Viewer, container: HTMLElement): () => void {
  const { store } = viewer;
  const map = new StormMap(
    container,
    createMapEvents(store, () => viewer.map.find()),
  );
  viewer.map.attach(map);
  const follow = createFollower(viewer, map);
  follow(store.getState());
  const unsubscribe = store.subscribe(follow);
  const sizes = new ResizeObserver(() => {
    map.resize();
  });
  sizes.observe(container);
  return () => {
    sizes.disconnect();
    unsubscribe();
    viewer.map.attach(undefined);
    map.close();
    store.getState().receiveDrawn(undefined);
  };
}

function createMapEvents(store: ViewerStore, findMap: () => StormMapControl | undefined): StormMapEvents {
  let frames: Record<string, FrameState> = {};
  let flushing = false;
  const readAt = (state: ViewerState): void => {
    const pointer = state.picture.probe?.pointer;
    const map = findMap();
    if (pointer && map) state.setProbe({ pointer, readings: map.readProbe(...pointer.coordinate) });
  };
  return {
    onDrawn: (drawn) => {
      store.getState().receiveDrawn(drawn);
      readAt(store.getState());
    },
    onFrameState: (imageUrl, frame) => {
      frames[imageUrl] = frame;
      if (flushing) return;
      flushing = true;
      // Frames come in bursts; the store hears of each burst once.
      queueMicrotask(() => {
        flushing = false;
        store.getState().receiveFrameStates(frames);
        frames = {};
      });
    },
    onPointer: (pointer) => {
      const map = findMap();
      store
        .getState()
        .setProbe(pointer && map ? { pointer, readings: map.readProbe(...pointer.coordinate) } : undefined);
    },
    onCache: (use) => {
      store.getState().receiveCache(use);
    },
    onView: (view) => {
      store.getState().receiveView(view);
      readAt(store.getState());
    },
    onError: (message) => {
      store.getState().setMapProblem(message);
    },
  };
}

/** Called on each change of state: tells the map what changed for it, and shows an event's area when it is first seen. */
function createFollower(viewer: Viewer, map: StormMapControl): (state: ViewerState) => void {
  const selectScene = createSceneSelector();
  const cameras = new Map<string, Camera>();
  if (viewer.savedCamera) cameras.set(viewer.savedCamera.eventId, viewer.savedCamera);
  let scene: unknown;
  let crosshair = false;
  let framed: string | undefined;
  let leaving: string | undefined;
  return (state) => {
    const next = selectScene(state);
    if (next !== scene) {
      scene = next;
      map.setScene(next);
    }
    if (state.crosshair !== crosshair) {
      crosshair = state.crosshair;
      map.setCrosshair(crosshair);
    }
    const eventId = state.selectedEventId;
    if (leaving !== eventId) {
      leaving = eventId;
      framed = undefined;
    }
    if (eventId === undefined) return;
    if (framed === eventId) {
      if (state.view) cameras.set(eventId, state.view);
      return;
    }
    const camera = cameras.get(eventId);
    const bounds = camera ? undefined : findEventBounds(state);
    if (camera) map.showView(camera);
    else if (bounds) map.fitBounds(bounds);
    else return;
    framed = eventId;
  };
}

type Camera = Pick<MapView, "center" | "zoom">;

/** Where the event is: its own bounds, else those of the picture that is wanted. */
export function findEventBounds(state: ViewerState): Bounds | undefined {
  const own = selectSelectedEvent(state)?.bounds;
  if (own) return own;
  const [first, ...others] = selectWantedRevision(state)?.layers.map((layer) => layer.bounds) ?? [];
  return first && unionBounds(first, ...others);
}
