// The map: MapLibre with the basemap, the storm layer, its frames and the probe behind one imperative class that is fed whole
// scenes. It knows nothing of React, of the store, or of how the app talks to the service.
import { Map as MapLibreMap, setWorkerUrl, type GeoJSONSource } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import "maplibre-gl/dist/maplibre-gl.css";
import type { Bounds, Coordinate } from "../../shared/contract/index.ts";
import {
  createBasemapStyle,
  createPlaceDot,
  firstLineLayer,
  placeDotImage,
} from "../basemap/basemap-style.ts";
import { BackgroundWatch } from "./background-watch.ts";
import type { FrameBudget } from "./frame-shelf.ts";
import { PlaceMarker } from "./place-marker.ts";
import { PointerReporter } from "./pointer-reporter.ts";
import type { MapPlace, MapView, ProbeReading, Scene, StormMapControl, StormMapEvents } from "./scene.ts";
import { findFrameBudget, StormLayer } from "./storm-layer.ts";

/** The lower 48 states. */
const homeBounds: Bounds = [-125, 24, -66.5, 50];
const minZoom = 2.5;
const maxZoom = 13;
/** Where a place that has no bounds is shown. */
const placeZoom = 9;
/** Bounds of a single town do not take the storm out of sight. */
const closestFitZoom = 10.5;
const movementMs = 450;
const fitPaddingPx = 24;

const problems = {
  noGraphics: "This machine cannot draw the map: its browser has no WebGL 2.",
  lostGraphics: "The graphics were lost. The map is drawn again as soon as they are back.",
  background: "A part of the map's background could not be loaded. The viewer asks for it again by itself.",
} as const;

setWorkerUrl(new URL(workerUrl, document.baseURI).href);

export class StormMap implements StormMapControl {
  readonly #events: StormMapEvents;
  readonly #storm: StormLayer;
  readonly #map: MapLibreMap | undefined;
  readonly #pointer: PointerReporter | undefined;
  readonly #place = new PlaceMarker();
  readonly #style = createBasemapStyle();
  readonly #background = this.#watchBackground();
  /** What is wrong, the latest last. */
  readonly #problems = new Set<string>();
  #hasMoved = false;
  #isClosed = false;

  constructor(container: HTMLElement, events: StormMapEvents, budget: FrameBudget = findFrameBudget()) {
    this.#events = events;
    this.#storm = new StormLayer(budget, events, () => this.#findMap()?.triggerRepaint());
    this.#map = this.#createMap(container);
    if (!this.#map) return;
    this.#pointer = new PointerReporter(this.#map, (pointer) => {
      events.onPointer(pointer);
    });
    this.#listen(this.#map);
  }

  setScene(scene: Scene): void {
    this.#storm.stage.setScene(scene);
  }

  readProbe(longitudeDeg: number, latitudeDeg: number): ProbeReading[] {
    return this.#storm.stage.readProbe({ longitudeDeg, latitudeDeg });
  }

  isReady(imageUrls: readonly string[]): boolean {
    return this.#storm.stage.isReady(imageUrls);
  }

  flyTo(coordinate: Coordinate, zoom: number = placeZoom): void {
    this.#hasMoved = true;
    this.#findMap()?.flyTo({ center: [...coordinate], zoom, maxDuration: 2500 });
  }

  fitBounds(bounds: Bounds): void {
    // The first view is not a journey.
    const duration = this.#hasMoved ? movementMs : 0;
    this.#hasMoved = true;
    this.#findMap()?.fitBounds([...bounds], { padding: fitPaddingPx, duration, maxZoom: closestFitZoom });
  }

  showView({ center, zoom }: Pick<MapView, "center" | "zoom">): void {
    this.#hasMoved = true;
    this.#findMap()?.jumpTo({ center: [...center], zoom });
  }

  zoomIn(): void {
    this.#findMap()?.zoomIn({ duration: movementMs / 2 });
  }

  zoomOut(): void {
    this.#findMap()?.zoomOut({ duration: movementMs / 2 });
  }

  panBy(xPx: number, yPx: number): void {
    this.#findMap()?.panBy([xPx, yPx], { duration: 0 });
  }

  setPlace(place: MapPlace | undefined): void {
    this.#place.set(this.#findMap(), place);
  }

  setCrosshair(shown: boolean): void {
    this.#pointer?.setCrosshair(shown);
  }

  resize(): void {
    this.#findMap()?.resize();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#storm.close();
    this.#background.close();
    this.#pointer?.close();
    this.#map?.remove();
  }

  /** Undefined where there is none, or none any more. */
  #findMap(): MapLibreMap | undefined {
    return this.#isClosed ? undefined : this.#map;
  }

  /** Undefined, and said so, where this machine cannot draw it. */
  #createMap(container: HTMLElement): MapLibreMap | undefined {
    try {
      const map = new MapLibreMap({
        container,
        style: this.#style,
        bounds: [...homeBounds],
        fitBoundsOptions: { padding: fitPaddingPx },
        minZoom,
        maxZoom,
        maxPitch: 0,
        dragRotate: false,
        pitchWithRotate: false,
        touchPitch: false,
        // The app has the keys: arrows move the crosshair, the rest is the same everywhere on the screen.
        keyboard: false,
        renderWorldCopies: false,
        attributionControl: false,
        fadeDuration: 0,
        maxCanvasSize: [8192, 8192],
        locale: { "Map.Title": "Map canvas" },
      });
      map.touchZoomRotate.disableRotation();
      // One stop of the Tab key is enough for the map, and the region around it is that one.
      map.getCanvas().tabIndex = -1;
      return map;
    } catch (error) {
      if (document.createElement("canvas").getContext("webgl2")) throw error;
      this.#changeProblem(problems.noGraphics, true);
      return undefined;
    }
  }

  #listen(map: MapLibreMap): void {
    const { layer } = this.#storm;
    // Also after the graphics context was lost: MapLibre builds the style anew, without layers of other makers.
    map.on("style.load", () => {
      if (!map.hasImage(placeDotImage)) map.addImage(placeDotImage, createPlaceDot(), { pixelRatio: 2 });
      if (!map.getLayer(layer.id)) map.addLayer(layer, firstLineLayer);
      this.#place.addTo(map);
    });
    map.on("webglcontextlost", () => {
      this.#storm.loseContext();
      this.#changeProblem(problems.lostGraphics, true);
    });
    map.on("webglcontextrestored", () => {
      this.#changeProblem(problems.lostGraphics, false);
    });
    map.on("error", (event) => {
      if ("sourceId" in event && typeof event.sourceId === "string") this.#background.failed(event.sourceId);
      else this.#changeProblem(problems.background, true);
    });
    map.on("sourcedata", ({ sourceId, sourceDataType }) => {
      if (sourceDataType === "content") this.#background.loaded(sourceId);
    });
    for (const event of ["load", "moveend", "resize"] as const) {
      map.on(event, () => {
        this.#events.onView(toView(map));
      });
    }
  }

  #watchBackground(): BackgroundWatch {
    return new BackgroundWatch({
      load: (part) => {
        const source = this.#style.sources[part];
        if (source?.type !== "geojson" || typeof source.data !== "string") return;
        // How it went is told by the map's own events.
        void this.#findMap()?.getSource<GeoJSONSource>(part)?.setData(source.data);
      },
      schedule: (delayMs, run) => {
        const timer = setTimeout(run, delayMs);
        return () => {
          clearTimeout(timer);
        };
      },
      onChange: (isWhole) => {
        this.#changeProblem(problems.background, !isWhole);
      },
    });
  }

  #changeProblem(problem: string, isThere: boolean): void {
    if (isThere) this.#problems.add(problem);
    else this.#problems.delete(problem);
    queueMicrotask(() => {
      if (!this.#isClosed) this.#events.onProblem([...this.#problems].at(-1));
    });
  }
}

function toView(map: MapLibreMap): MapView {
  const { lng, lat } = map.getCenter();
  const bounds = map.getBounds();
  return {
    center: [lng, lat],
    zoom: map.getZoom(),
    bounds: [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()],
  };
}
