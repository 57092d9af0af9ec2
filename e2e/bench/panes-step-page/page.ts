// The page of the panes-step benchmark: as many maps with the viewer's basemap and storm layer as the address says,
// each a quarter of 1920 by 1080.
import { Map as MapLibreMap, setWorkerUrl } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import "maplibre-gl/dist/maplibre-gl.css";
import { createBasemapStyle } from "../../../renderer/basemap/basemap-style.ts";
import { createGroundImages } from "../../../renderer/basemap/ground-images.ts";
import { firstLineLayer } from "../../../renderer/basemap/line-layers.ts";
import { AnalysisClient } from "../../../renderer/frames/analysis-client.ts";
import type { FrameRef } from "../../../renderer/frames/frame-ref.ts";
import { StormLayer } from "../../../renderer/map/storm-layer.ts";
import { findFrameBudget } from "../../../renderer/platform/viewer-limits.ts";
import type { Bounds } from "../../../shared/contract/index.ts";
import { defaultPalette } from "../../../shared/products/palettes.ts";

export interface PanesBench {
  /** Loads and uploads all frames in every pane. */
  prepare(imageUrls: readonly string[]): Promise<void>;
  /** Steps all panes to a frame at once; returns the milliseconds until the last has drawn it. */
  step(imageUrl: string): Promise<number>;
  /** Bytes that the panes hold, and the bound for all of them. */
  memory(): { readonly usedBytes: number; readonly boundBytes: number };
}

declare global {
  interface Window {
    panesBench?: PanesBench;
  }
}

const bounds: Bounds = [-130, 20, -60, 55];
const paneCount = Number(new URLSearchParams(location.search).get("panes"));
const analysis = new AnalysisClient();

setWorkerUrl(new URL(workerUrl, document.baseURI).href);

interface BenchPane {
  readonly map: MapLibreMap;
  readonly layer: StormLayer;
  usedBytes: number;
  /** Called when a picture has been drawn, and the GPU has finished it. */
  onDrawn: (() => void) | undefined;
}

async function createPane(): Promise<BenchPane> {
  const container = document.createElement("div");
  document.getElementById("panes")!.append(container);
  const map = new MapLibreMap({
    container,
    style: createBasemapStyle("dark"),
    bounds: [...bounds],
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
  const events = {
    onDrawn: (): void => {
      waitForGpu(map);
      pane.onDrawn?.();
      pane.onDrawn = undefined;
    },
    onFrameState: () => undefined,
    onCache: ({ usedBytes }: { readonly usedBytes: number }): void => {
      pane.usedBytes = usedBytes;
    },
  };
  const layer = new StormLayer(findFrameBudget(undefined, 1 / paneCount), analysis, events, () => {
    map.triggerRepaint();
  });
  const pane: BenchPane = { map, layer, usedBytes: 0, onDrawn: undefined };
  map.addLayer(layer, firstLineLayer);
  return pane;
}

const panes = await Promise.all(Array.from({ length: paneCount }, createPane));
let all: readonly string[] = [];
let sequence = 0;

/** Resolves when the pane has drawn the frame. */
function show(pane: BenchPane, imageUrl: string): Promise<void> {
  return new Promise((resolve) => {
    pane.onDrawn = resolve;
    pane.layer.stage.setScene({
      eventId: "bench",
      sequence,
      layers: [
        {
          id: "mrms-reflectivity",
          frame: toRef(imageUrl),
          visible: true,
          opacity: 1,
          coloring: { palette: defaultPalette, theme: "dark", showFrom: undefined },
        },
      ],
      overlays: [],
      swipe: undefined,
      prefetch: all.map(toRef),
    });
  });
}

function toRef(imageUrl: string): FrameRef {
  return { imageUrl, bounds };
}

/** Waits for what was drawn by reading a pixel; `finish` does not guarantee that it is complete. */
function waitForGpu(map: MapLibreMap): void {
  const gl = map.getCanvas().getContext("webgl2")!;
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      resolve();
    });
  });
}

window.panesBench = {
  async prepare(imageUrls) {
    all = imageUrls;
    sequence += 1;
    await Promise.all(panes.map((pane) => show(pane, all[0]!)));
    while (!panes.every(({ layer }) => layer.stage.isReady(all))) await nextFrame();
  },

  async step(imageUrl) {
    await nextFrame();
    await nextFrame();
    sequence += 1;
    const startedMs = performance.now();
    await Promise.all(panes.map((pane) => show(pane, imageUrl)));
    return performance.now() - startedMs;
  },

  memory: () => {
    const { memoryBytes, gpuBytes } = findFrameBudget();
    const usedBytes = panes.reduce((sum, pane) => sum + pane.usedBytes, 0);
    return { usedBytes, boundBytes: memoryBytes + gpuBytes };
  },
};
