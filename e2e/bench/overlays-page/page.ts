// The page of the benchmark `overlays`: the viewer's basemap and storm layer, and over them as many warnings and
// reports as the address says.
import { Map as MapLibreMap, setWorkerUrl } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import "maplibre-gl/dist/maplibre-gl.css";
import { createRandom } from "../../../electron/pipeline/demo/random.ts";
import { createBasemapStyle } from "../../../renderer/basemap/basemap-style.ts";
import { createGroundImages } from "../../../renderer/basemap/ground-images.ts";
import { firstLineLayer } from "../../../renderer/basemap/line-layers.ts";
import { AnalysisClient } from "../../../renderer/frames/analysis-client.ts";
import { Ground } from "../../../renderer/map/ground.ts";
import type { MapOverlay } from "../../../renderer/map/overlays/map-overlay.ts";
import { OverlayLayers } from "../../../renderer/map/overlays/overlay-layers.ts";
import { StormLayer } from "../../../renderer/map/storm-layer.ts";
import { findFrameBudget } from "../../../renderer/platform/viewer-limits.ts";
import { shapeWords } from "../../../renderer/text/overlay-text.ts";
import type { Bounds, Coordinate } from "../../../shared/contract/index.ts";
import type { OverlayShape, WarningKind } from "../../../shared/overlays/overlay.ts";
import { defaultPalette } from "../../../shared/products/palettes.ts";

export interface OverlaysBench {
  /** Draws a frame, and resolves when everything is on the map. */
  prepare(imageUrl: string): Promise<void>;
  /** Moves over the map in so many frames; returns the milliseconds of each, until the GPU has drawn it. */
  move(kind: "pan" | "zoom", frames: number): Promise<number[]>;
}

declare global {
  interface Window {
    overlaysBench?: OverlaysBench;
  }
}

const bounds: Bounds = [-130, 20, -60, 55];
const search = new URLSearchParams(location.search);
const [polygons, reports] = ["polygons", "reports"].map((name) => Number(search.get(name)));
const kinds: readonly WarningKind[] = ["tornado", "severe-thunderstorm", "flash-flood"];

setWorkerUrl(new URL(workerUrl, document.baseURI).href);

const random = createRandom(17);
const place = (): Coordinate => [-122 + random() * 52, 27 + random() * 20];

function createWarning(index: number): OverlayShape {
  const [longitude, latitude] = place();
  const corners = Array.from({ length: 7 }, (_, corner): Coordinate => {
    const angle = (corner / 7) * 2 * Math.PI;
    const radiusDeg = 0.2 + random() * 0.3;
    return [longitude + radiusDeg * Math.cos(angle), latitude + radiusDeg * Math.sin(angle)];
  });
  const kind = kinds[index % kinds.length]!;
  return {
    geometry: { type: "Polygon", coordinates: [[...corners, corners[0]!]] },
    fromMs: 0,
    toMs: 3_600_000,
    warning: { kind, title: "Severe Thunderstorm Warning", office: "OUN" },
  };
}

function createReport(index: number): OverlayShape {
  const coordinate = place();
  const sizeMm = 25.4 * (0.75 + 0.25 * (index % 14));
  return {
    geometry: { type: "Point", coordinates: coordinate },
    fromMs: 0,
    toMs: 0,
    report: { kind: "hail", atMs: 0, coordinate, sizeMm },
  };
}

const words = shapeWords("in", false);
const overlays: readonly MapOverlay[] = [
  { id: "reports", shapes: Array.from({ length: reports! }, (_, index) => createReport(index)) },
  { id: "warnings", shapes: Array.from({ length: polygons! }, (_, index) => createWarning(index)) },
].map((overlay) => ({ ...overlay, color: "#ffffff", hasFileColors: true, words }));

const map = new MapLibreMap({
  container: "map",
  style: createBasemapStyle("dark"),
  center: [-97, 37],
  zoom: 5,
  fadeDuration: 0,
  attributionControl: false,
  renderWorldCopies: false,
});
map.on("style.load", () => {
  for (const { id, image, options } of createGroundImages("dark")) {
    if (!map.hasImage(id)) map.addImage(id, image, options);
  }
});
await map.once("load");
new Ground().addTo(map);
let drawn: (() => void) | undefined;
const events = { onDrawn: () => drawn?.(), onFrameState: () => undefined, onCache: () => undefined };
const storm = new StormLayer(findFrameBudget(), new AnalysisClient(), events, () => {
  map.triggerRepaint();
});
map.addLayer(storm, firstLineLayer);
if (polygons! + reports! > 0) {
  const layers = new OverlayLayers();
  layers.addTo(map);
  layers.set(overlays);
}

/** Waits for what was drawn by reading a pixel; `finish` does not guarantee that it is complete. */
function waitForGpu(): void {
  const gl = map.getCanvas().getContext("webgl2")!;
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
}

async function drawAt(longitude: number, zoom: number): Promise<number> {
  const startedMs = performance.now();
  const rendered = map.once("render");
  map.jumpTo({ center: [longitude, 37], zoom });
  await rendered;
  waitForGpu();
  return performance.now() - startedMs;
}

window.overlaysBench = {
  async prepare(imageUrl) {
    const shown = new Promise<void>((resolve) => {
      drawn = resolve;
    });
    storm.stage.setScene({
      eventId: "bench",
      sequence: 1,
      layers: [
        {
          id: "mrms-reflectivity",
          frame: { imageUrl, bounds },
          visible: true,
          opacity: 1,
          coloring: { palette: defaultPalette, theme: "dark", showFrom: undefined },
        },
      ],
      overlays: [],
      swipe: undefined,
      prefetch: [],
    });
    await shown;
    map.triggerRepaint();
    await map.once("idle");
  },

  async move(kind, frames) {
    const times: number[] = [];
    for (let frame = 0; frame < frames; frame++) {
      const share = frame / frames;
      const time = kind === "pan" ? drawAt(-104 + 14 * share, 6) : drawAt(-97, 4.5 + 4 * share);
      times.push(await time);
    }
    return times;
  },
};
