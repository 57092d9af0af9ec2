// The map: MapLibre with the basemap, the storm layer, its frames and the probe behind one imperative class that is fed whole
// scenes. It knows nothing of React, of the store, or of how the app talks to the service.
import { Map as MapLibreMap, setWorkerUrl } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import "maplibre-gl/dist/maplibre-gl.css";
import type { Bounds, Coordinate } from "../../shared/contract/index.ts";
import { createBasemapStyle, createPlaceDot, firstLineLayer, placeDotImage } from "../basemap/style.ts";
import type { FrameBudget } from "./frame-shelf.ts";
import { FrameLoader } from "./frame-loader.ts";
import { beginFrameUpload, createSliceBuffer, releaseFrameTexture } from "./frame-textures.ts";
import type { FrameTexture } from "./frame-textures.ts";
import { PointerReporter } from "./pointer-reporter.ts";
import { RasterLayer, rasterLayerId } from "./raster-layer.ts";
import type { MapView, ProbeReading, Scene, StormMapControl, StormMapEvents } from "./scene.ts";
import { StormStage } from "./storm-stage.ts";

/** The lower 48 states. */
const homeBounds: Bounds = [-125, 24, -66.5, 50];
const minZoom = 2.5;
const maxZoom = 13;
/** Where a place that has no bounds is shown. */
const placeZoom = 9;
const movementMs = 450;
const fitPaddingPx = 24;
const decodeWorkers = 2;
/** WebGL 2 promises textures of this size everywhere; pictures in colours are cut to it before they come here. */
const colourTilePx = 2048;

setWorkerUrl(new URL(workerUrl, document.baseURI).href);

export class StormMap implements StormMapControl {
  readonly #events: StormMapEvents;
  readonly #loader = new FrameLoader({ workers: decodeWorkers, maxTilePx: colourTilePx });
  readonly #stage: StormStage<FrameTexture>;
  readonly #map: MapLibreMap | undefined;
  readonly #pointer: PointerReporter | undefined;
  #gl: WebGL2RenderingContext | undefined;
  #hasMoved = false;

  constructor(container: HTMLElement, events: StormMapEvents, budget: FrameBudget = findFrameBudget()) {
    this.#events = events;
    this.#stage = this.#createStage(budget);
    this.#map = this.#createMap(container);
    if (!this.#map) return;
    this.#pointer = new PointerReporter(this.#map, (pointer) => {
      events.onPointer(pointer);
    });
    this.#listen(this.#map);
  }

  setScene(scene: Scene): void {
    this.#stage.setScene(scene);
  }

  readProbe(longitudeDeg: number, latitudeDeg: number): ProbeReading[] {
    return this.#stage.readProbe({ longitudeDeg, latitudeDeg });
  }

  isReady(imageUrls: readonly string[]): boolean {
    return this.#stage.isReady(imageUrls);
  }

  flyTo(coordinate: Coordinate, zoom: number = placeZoom): void {
    this.#hasMoved = true;
    this.#map?.flyTo({ center: [...coordinate], zoom, maxDuration: 2500 });
  }

  fitBounds(bounds: Bounds): void {
    // The first view is not a journey.
    const duration = this.#hasMoved ? movementMs : 0;
    this.#hasMoved = true;
    this.#map?.fitBounds([...bounds], { padding: fitPaddingPx, duration, maxZoom: placeZoom });
  }

  showView({ center, zoom }: Pick<MapView, "center" | "zoom">): void {
    this.#hasMoved = true;
    this.#map?.jumpTo({ center: [...center], zoom });
  }

  zoomIn(): void {
    this.#map?.zoomIn({ duration: movementMs / 2 });
  }

  zoomOut(): void {
    this.#map?.zoomOut({ duration: movementMs / 2 });
  }

  panBy(xPx: number, yPx: number): void {
    this.#map?.panBy([xPx, yPx], { duration: 0 });
  }

  setCrosshair(shown: boolean): void {
    this.#pointer?.setCrosshair(shown);
  }

  resize(): void {
    this.#map?.resize();
  }

  close(): void {
    this.#stage.close();
    this.#loader.close();
    this.#pointer?.close();
    this.#gl = undefined;
    this.#map?.remove();
  }

  #createStage(budget: FrameBudget): StormStage<FrameTexture> {
    const slice = createSliceBuffer();
    return new StormStage<FrameTexture>(
      budget,
      {
        load: ({ imageUrl }, signal) => this.#loader.load(imageUrl, signal),
        beginUpload: (frame) => {
          if (!this.#gl) throw new Error("The graphics context is lost.");
          return beginFrameUpload(this.#gl, frame, slice);
        },
        releaseTexture: (texture) => {
          if (this.#gl) releaseFrameTexture(this.#gl, texture);
        },
        nowMs: () => performance.now(),
        schedule: (delayMs, run) => {
          const timer = setTimeout(run, delayMs);
          return () => {
            clearTimeout(timer);
          };
        },
        onNextFrame: (run) => {
          const request = requestAnimationFrame(run);
          return () => {
            cancelAnimationFrame(request);
          };
        },
        defer: (run) => {
          queueMicrotask(run);
        },
        repaint: () => this.#map?.triggerRepaint(),
      },
      this.#events,
    );
  }

  /** Undefined, and said so, where this machine cannot draw it. */
  #createMap(container: HTMLElement): MapLibreMap | undefined {
    try {
      const map = new MapLibreMap({
        container,
        style: createBasemapStyle(),
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
    } catch {
      this.#report("This machine cannot draw the map: its browser has no WebGL 2.");
      return undefined;
    }
  }

  #listen(map: MapLibreMap): void {
    const layer = new RasterLayer({
      collect: () => this.#stage.collect(),
      onAdded: (gl) => {
        this.#gl = gl;
        this.#stage.resume();
      },
      onPainted: () => {
        this.#stage.painted();
      },
    });
    // Also after the graphics context was lost: MapLibre builds the style anew, without layers of other makers.
    map.on("style.load", () => {
      if (!map.hasImage(placeDotImage)) map.addImage(placeDotImage, createPlaceDot(), { pixelRatio: 2 });
      if (!map.getLayer(rasterLayerId)) map.addLayer(layer, firstLineLayer);
    });
    map.on("webglcontextlost", () => {
      this.#gl = undefined;
      this.#stage.suspend();
    });
    map.on("error", () => {
      this.#report("A part of the map's background could not be loaded.");
    });
    map.on("moveend", () => {
      this.#events.onView(toView(map));
    });
    map.on("resize", () => {
      this.#events.onView(toView(map));
    });
  }

  #report(message: string): void {
    queueMicrotask(() => {
      this.#events.onError(message);
    });
  }
}

/** Three quarters of a gigabyte on a machine with 8 GiB or more, less on smaller ones; a third of it is memory, the rest the GPU's. */
export function findFrameBudget(): FrameBudget {
  const deviceGiB = (navigator as { deviceMemory?: number }).deviceMemory ?? 8;
  const megabytes = Math.min(768, Math.max(256, deviceGiB * 96));
  return { memoryBytes: (megabytes / 3) * 2 ** 20, gpuBytes: (megabytes / 3) * 2 * 2 ** 20 };
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
