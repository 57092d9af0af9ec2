// The map: MapLibre with the basemap, the storm layer and the probe, as one imperative class that is fed whole scenes.
// Knows neither React nor the store nor the service.
import { setWorkerUrl, type Map as MapLibreMap } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import "maplibre-gl/dist/maplibre-gl.css";
import type { Bounds, Coordinate } from "../../shared/contract/index.ts";
import type { AnalysisClient } from "../frames/analysis-client.ts";
import type { GroundShown, MapTheme } from "../basemap/ground-parts.ts";
import { firstLineLayer } from "../basemap/line-layers.ts";
import { schedule } from "../platform/page-effects.ts";
import { findFrameBudget, stillFrameBudget, type FrameLimitMib } from "../platform/viewer-limits.ts";
import { BackgroundWatch } from "./background-watch.ts";
import { createMap, fitPaddingPx } from "./create-map.ts";
import { Ground } from "./ground.ts";
import { NotAMapError } from "./map-archive.ts";
import { MapMarks } from "./map-marks.ts";
import type { MapOverlay, ShapeAtPoint } from "./overlays/map-overlay.ts";
import { OverlayLayers } from "./overlays/overlay-layers.ts";
import type { MapPins } from "./pin-markers.ts";
import type { SwathLabel } from "./swath-labels.ts";
import { SettleWatch } from "./settle-watch.ts";
import { PointerReporter } from "./pointer-reporter.ts";
import type { ProbePoint } from "./probe.ts";
import { worldPx } from "./scale-lengths.ts";
import type { FrameRef } from "../frames/frame-ref.ts";
import type {
  DrawnPicture,
  GuestPoint,
  MapPlace,
  MapPointer,
  MapView,
  ProbeReading,
  Scene,
  FixedMap,
  StormMapEvents,
  OverlayReading,
} from "./scene.ts";
import { MapParts, type PaintPicture } from "./still/map-parts.ts";
import { StillLayer } from "./still/still-layer.ts";
import { StormLayer } from "./storm-layer.ts";
import type { ToolMarks } from "./tools/tool-drawing.ts";
import { UserMap, userMapSource } from "./user-map.ts";

/** Zoom for a place without bounds. */
const placeZoom = 9;
/** Closest zoom for bounds; those of a town would push the storm out of view. */
const closestFitZoom = 10.5;
const movementMs = 450;

const problems = {
  noGraphics: "This machine cannot draw the map: its browser has no WebGL 2.",
  lostGraphics: "The graphics were lost. The map returns when they are back.",
  background: "Part of the map's background could not be loaded. The viewer retries automatically.",
} as const;

setWorkerUrl(new URL(workerUrl, document.baseURI).href);

/** All methods may be called before the map has loaded; after `close` they do nothing. */
export class StormMap {
  readonly #events: StormMapEvents;
  readonly #storm: StormLayer | StillLayer;
  readonly #map: MapLibreMap | undefined;
  readonly #settling: SettleWatch | undefined;
  /** Undefined for a map on screen. */
  readonly #parts: MapParts | undefined;
  readonly #hasGround: boolean;
  readonly #pointer: PointerReporter | undefined;
  readonly #marks = new MapMarks();
  readonly #ground = new Ground();
  readonly #userMap = new UserMap();
  readonly #overlays = new OverlayLayers();
  readonly #background = this.#watchBackground();
  /** Current problems, the latest last. */
  readonly #problems = new Set<string>();
  /** True once the person has chosen the view. */
  #isPlaced = false;
  #isClosed = false;
  /** False before the style loads, and while the graphics are lost: MapLibre then throws on any change of it. */
  #hasStyle = false;

  constructor(container: HTMLElement, analysis: AnalysisClient, events: StormMapEvents, fixed?: FixedMap) {
    this.#events = events;
    const still = typeof fixed === "object" ? fixed : undefined;
    const repaint = (): void => this.#findMap()?.triggerRepaint();
    this.#storm = still
      ? new StillLayer(stillFrameBudget, analysis, events)
      : new StormLayer(findFrameBudget(), analysis, events, repaint);
    this.#hasGround = still?.hasGround ?? true;
    const style = this.#hasGround ? this.#ground.createStyle() : this.#ground.createEmptyStyle();
    this.#map = createMap(container, style, fixed);
    if (!this.#map) {
      this.#changeProblem(problems.noGraphics, true);
      return;
    }
    this.#settling = new SettleWatch(this.#map);
    if (this.#storm instanceof StillLayer)
      this.#parts = new MapParts(this.#map, this.#storm, this.#hasGround);
    else if (!fixed) this.#pointer = new PointerReporter(this.#map, events);
    this.#listen(this.#map);
  }

  setScene(scene: Scene): void {
    this.#storm.stage.setScene(scene);
  }

  /** Switches the parts of the ground under the storm. */
  setGround(shown: GroundShown): void {
    this.#ground.setShown(shown);
  }

  setTheme(theme: MapTheme): void {
    this.#ground.setTheme(theme);
    this.#userMap.setTheme(theme);
  }

  /** Shows a PMTiles file over the basemap; undefined removes it. Reports why a file cannot be shown. */
  async setUserMap(file: File | undefined): Promise<void> {
    try {
      await this.#userMap.show(file);
    } catch (error) {
      if (!(error instanceof NotAMapError)) throw error;
      if (!this.#isClosed) this.#events.onUserMapProblem(error.message);
    }
  }

  /**
   * Returns one reading per visible layer of the picture on screen, in drawing order; "loading" until there is a
   * picture.
   */
  readProbe(longitudeDeg: number, latitudeDeg: number): ProbeReading[] {
    return this.#storm.stage.readProbe(this.#toProbePoint(longitudeDeg, latitudeDeg));
  }

  /** Returns one reading per overlay on screen. */
  readOverlays(longitudeDeg: number, latitudeDeg: number): OverlayReading[] {
    return this.#storm.stage.readOverlays(this.#toProbePoint(longitudeDeg, latitudeDeg));
  }

  /** Returns the shapes of overlays at a point. */
  readShapes(coordinate: Coordinate): ShapeAtPoint[] {
    const { pixelDeg } = this.#toProbePoint(...coordinate);
    return this.#overlays.findAt({ coordinate, pixelDeg });
  }

  #toProbePoint(longitudeDeg: number, latitudeDeg: number): ProbePoint {
    const zoom = this.#findMap()?.getZoom();
    return { longitudeDeg, latitudeDeg, pixelDeg: zoom === undefined ? 0 : 360 / (worldPx * 2 ** zoom) };
  }

  /** Returns the bounds of the echo in those of the frames that are loaded; undefined if there is none. */
  findEchoBounds(frames: readonly FrameRef[]): Bounds | undefined {
    return this.#storm.stage.findEchoBounds(frames);
  }

  flyTo(coordinate: Coordinate, zoom: number = placeZoom): void {
    this.#isPlaced = true;
    this.#findMap()?.flyTo({ center: [...coordinate], zoom, maxDuration: 2500 });
  }

  /** Moves to a view of all of `bounds`. */
  fitBounds(bounds: Bounds): void {
    this.#isPlaced = true;
    this.#fit(bounds, movementMs);
  }

  /** Shows all of `bounds` at once. Until the person moves the map, `refineFirstView` may replace the view. */
  showFirstView(bounds: Bounds): void {
    this.#isPlaced = false;
    this.#fit(bounds, 0);
  }

  /** Shows all of `bounds` at once, if the view is still the one that `showFirstView` gave. */
  refineFirstView(bounds: Bounds): void {
    if (!this.#isPlaced) this.#fit(bounds, 0);
  }

  /** Shows exactly this view at once; what is left out stays. */
  showView({ center, zoom }: Partial<Pick<MapView, "center" | "zoom">>): void {
    this.#isPlaced = true;
    this.#findMap()?.jumpTo({ ...(center && { center: [...center] }), ...(zoom !== undefined && { zoom }) });
  }

  zoomIn(): void {
    this.#isPlaced = true;
    this.#findMap()?.zoomIn({ duration: movementMs / 2 });
  }

  zoomOut(): void {
    this.#isPlaced = true;
    this.#findMap()?.zoomOut({ duration: movementMs / 2 });
  }

  /** Moves the map by CSS pixels: right and down are positive. */
  panBy(xPx: number, yPx: number): void {
    this.#isPlaced = true;
    this.#findMap()?.panBy([xPx, yPx], { duration: 0 });
  }

  /** Marks a place instead of the previous one; undefined removes the mark. */
  setPlace(place: MapPlace | undefined): void {
    this.#marks.place.set(this.#findStyled(), place);
  }

  /** Draws these overlays instead of the ones before, the first on top. */
  setOverlays(overlays: readonly MapOverlay[]): void {
    this.#overlays.set(overlays);
  }

  /** Puts words on the largest values so far. */
  setSwathLabels(labels: readonly SwathLabel[]): void {
    this.#marks.swathLabels.set(this.#findStyled(), labels);
  }

  /** Marks the pinned places by number and name. */
  setPins(pins: MapPins): void {
    this.#marks.pins.set(this.#findStyled(), pins);
  }

  /** Draws what the tools have set. */
  setToolMarks(marks: ToolMarks): void {
    this.#marks.tools.set(this.#findStyled(), marks);
  }

  /** Returns the index of the pinned place whose mark is at a point. */
  findPinAt(point: MapPointer): number | undefined {
    const map = this.#findMap();
    return map && this.#marks.pins.findAt(map, point);
  }

  /** Shows the crosshair in the middle of the map; while it is shown, `onPointer` follows it. */
  setCrosshair(shown: boolean): void {
    this.#pointer?.setCrosshair(shown);
  }

  /** Points where another map points; undefined ends it. */
  setGuest(guest: GuestPoint | undefined): void {
    this.#pointer?.setGuest(guest);
  }

  /** Limits the memory for frames at once to a share of the limit; undefined for what suits the machine. */
  setFrameLimit(limitMib: FrameLimitMib | undefined, share: number): void {
    if (!this.#isClosed) this.#storm.stage.setBudget(findFrameBudget(limitMib, share));
  }

  /** Pins a point, which `onPin` then follows; undefined unpins it. */
  setPin(pinned: Coordinate | undefined): void {
    this.#pointer?.setPin(pinned);
  }

  /**
   * Repaints at once, and returns what `read` makes of the canvas and of the picture on it. Its pixels can be read only
   * during this call. Returns undefined while the map cannot be drawn.
   */
  readPixels<T>(read: (canvas: HTMLCanvasElement, drawn: DrawnPicture | undefined) => T): T | undefined {
    const map = this.#findStyled();
    if (!map) return undefined;
    map.redraw();
    return read(map.getCanvas(), this.#storm.stage.drawn);
  }

  /**
   * Takes the picture of a map off screen, and returns what `read` makes of it. Returns undefined while the map cannot
   * be drawn.
   */
  readStill<T>(read: (paint: PaintPicture, drawn: DrawnPicture | undefined) => T): T | undefined {
    const paint = this.#hasStyle ? this.#parts?.take() : undefined;
    return paint && read(paint, this.#storm.stage.drawn);
  }

  /** Returns true if the next repaint can draw these frames, or they have failed. */
  isReady(frames: readonly FrameRef[]): boolean {
    return this.#storm.stage.isReady(frames.map(({ imageUrl }) => imageUrl));
  }

  /** Resolves with true when ground, labels and pins of this view are on the map; with false if they take too long. */
  async whenSettled(): Promise<boolean> {
    return (await this.#settling?.whenSettled()) ?? false;
  }

  /** Keeps the pixels of a map sharp whose container is shown enlarged; 1 ends it. */
  setEnlargement(factor: number): void {
    // Without a number MapLibre follows the screen again; its types do not say so.
    this.#findMap()?.setPixelRatio(factor === 1 ? undefined! : devicePixelRatio * factor);
  }

  /** Call it when the container's size changed without the window's. */
  resize(): void {
    this.#findMap()?.resize();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#loseStyle();
    this.#storm.close();
    this.#background.close();
    this.#pointer?.close();
    this.#map?.remove();
  }

  #fit(bounds: Bounds, duration: number): void {
    this.#findMap()?.fitBounds([...bounds], { padding: fitPaddingPx, duration, maxZoom: closestFitZoom });
  }

  #findMap(): MapLibreMap | undefined {
    return this.#isClosed ? undefined : this.#map;
  }

  #findStyled(): MapLibreMap | undefined {
    return this.#hasStyle ? this.#findMap() : undefined;
  }

  #listen(map: MapLibreMap): void {
    // Also fires after a lost graphics context: MapLibre rebuilds the style without custom images and layers.
    map.on("style.load", () => {
      const above = this.#hasGround ? firstLineLayer : undefined;
      if (!map.getLayer(this.#storm.id)) map.addLayer(this.#storm, above);
      if (this.#hasGround) this.#ground.addTo(map);
      this.#userMap.addTo(map);
      this.#overlays.addTo(map);
      this.#marks.addTo(map);
      this.#hasStyle = true;
    });
    map.on("webglcontextlost", () => {
      if (this.#storm instanceof StormLayer) this.#storm.loseContext();
      this.#loseStyle();
      this.#changeProblem(problems.lostGraphics, true);
    });
    map.on("webglcontextrestored", () => {
      this.#changeProblem(problems.lostGraphics, false);
    });
    map.on("error", (event) => {
      const source = "sourceId" in event ? event.sourceId : undefined;
      if (source === userMapSource) this.#events.onUserMapProblem("Part of the map file cannot be read.");
      else if (typeof source === "string") this.#background.failed(source);
      else this.#changeProblem(problems.background, true);
    });
    map.on("sourcedata", ({ sourceId, sourceDataType }) => {
      if (sourceDataType === "content") this.#background.loaded(sourceId);
    });
    map.on("movestart", ({ originalEvent }) => {
      // Only movements by hand have one.
      if (originalEvent) this.#isPlaced = true;
    });
    map.on("move", ({ originalEvent }) => {
      const { center, zoom } = toView(map);
      this.#events.onMove({ center, zoom }, originalEvent !== undefined);
    });
    map.on("zoom", () => {
      this.#ground.loadSeen();
    });
    for (const event of ["load", "moveend", "resize"] as const) {
      map.on(event, () => {
        this.#overlays.move();
        this.#events.onView(toView(map));
      });
    }
  }

  #loseStyle(): void {
    this.#hasStyle = false;
    this.#ground.loseStyle();
    this.#userMap.loseStyle();
    this.#overlays.loseStyle();
  }

  #watchBackground(): BackgroundWatch {
    return new BackgroundWatch({
      load: (part) => {
        if (!this.#isClosed) this.#ground.load(part);
      },
      schedule,
      onChange: (isWhole) => {
        this.#changeProblem(problems.background, !isWhole);
      },
    });
  }

  #changeProblem(problem: string, isPresent: boolean): void {
    if (isPresent) this.#problems.add(problem);
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
