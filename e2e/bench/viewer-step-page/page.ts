// The page of the viewer-step benchmark: one MapLibre map with the viewer's basemap. The viewer's storm layer and
// MapLibre's image source show the same PNG files in alternation. A separate layer notes when a repaint begins to draw.
import { Map as MapLibreMap, setWorkerUrl } from "maplibre-gl";
import type { ImageSource } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import "maplibre-gl/dist/maplibre-gl.css";
import { createBasemapStyle } from "../../../renderer/basemap/basemap-style.ts";
import { createGroundImages } from "../../../renderer/basemap/ground-images.ts";
import { firstLineLayer } from "../../../renderer/basemap/line-layers.ts";
import { AnalysisClient } from "../../../renderer/frames/analysis-client.ts";
import type { FrameRef } from "../../../renderer/frames/frame-ref.ts";
import type { Scene } from "../../../renderer/map/scene.ts";
import { StormLayer } from "../../../renderer/map/storm-layer.ts";
import type { Bounds } from "../../../shared/contract/index.ts";
import { defaultPalette } from "../../../shared/products/palettes.ts";

export interface StepBench {
  /** Name of the graphics hardware as the driver reports it. */
  readonly graphics: string;
  /** Loads and uploads all frames. */
  prepare(imageUrls: readonly string[]): Promise<void>;
  /**
   * Requests a frame on the GPU. Returns the duration of the request itself, too. `phaseMs` is the delay after the
   * start of a display frame.
   */
  stepOurs(imageUrl: string, phaseMs: number): Promise<StepTime & { readonly callMs: number }>;
  /** Calls `updateImage`. */
  stepPeer(imageUrl: string, phaseMs: number): Promise<StepTime>;
}

/** Milliseconds from a call until the repaint with the new picture begins to draw, and until the picture is drawn. */
export interface StepTime {
  readonly beginMs: number;
  readonly drawnMs: number;
}

declare global {
  interface Window {
    stepBench?: StepBench;
  }
}

const bounds: Bounds = [-130, 20, -60, 55];
const budget = { memoryBytes: 2 ** 29, gpuBytes: 2 ** 29 };

setWorkerUrl(new URL(workerUrl, document.baseURI).href);
const map = new MapLibreMap({
  container: "map",
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

const layer = new StormLayer(
  budget,
  new AnalysisClient(),
  { onDrawn: () => undefined, onFrameState: () => undefined, onCache: () => undefined },
  () => {
    map.triggerRepaint();
  },
);
const { stage } = layer;

/** The caller that waits for a repaint, and its condition. */
let waiting: { readonly isDone: () => boolean; readonly resolve: (times: StepTime) => void } | undefined;
let begunMs: number | undefined;
map.addLayer(
  {
    id: "watch",
    type: "custom",
    // MapLibre calls this when sources are ready and uploaded, before it draws anything.
    prerender: (gl) => {
      if (!waiting?.isDone()) return;
      waitForGpu(gl);
      begunMs = performance.now();
    },
    // Both pictures lie below this layer.
    render: (gl) => {
      if (begunMs === undefined) return;
      waitForGpu(gl);
      waiting?.resolve({ beginMs: begunMs, drawnMs: performance.now() });
      waiting = undefined;
      begunMs = undefined;
    },
  },
  firstLineLayer,
);

/** Resolves with the times of the next repaint for which `isDone` returns true, on the clock of `performance.now()`. */
function repaintWith(isDone: () => boolean): Promise<StepTime> {
  return new Promise((resolve) => {
    waiting = { isDone, resolve };
  });
}

/** Shows a frame, or none; keeps all frames in the prefetch list and so on the GPU. */
function showOurs(imageUrl: string | undefined): void {
  const scene: Scene = {
    eventId: "bench",
    sequence: imageUrl === undefined ? undefined : 1,
    layers: [
      {
        id: "mrms-reflectivity",
        frame: imageUrl === undefined ? undefined : toRef(imageUrl),
        visible: true,
        opacity: 1,
        coloring: { palette: defaultPalette, theme: "dark", showFrom: undefined },
      },
    ],
    overlays: [],
    swipe: undefined,
    prefetch: all.map(toRef),
  };
  stage.setScene(scene);
}

function toRef(imageUrl: string): FrameRef {
  return { imageUrl, bounds };
}

function addPeer(imageUrl: string): void {
  const [west, south, east, north] = bounds;
  const coordinates: [[number, number], [number, number], [number, number], [number, number]] = [
    [west, north],
    [east, north],
    [east, south],
    [west, south],
  ];
  map.addSource("peer", { type: "image", url: toAddress(imageUrl), coordinates });
  const paint = { "raster-fade-duration": 0, "raster-resampling": "nearest" } as const;
  map.addLayer({ id: "peer", type: "raster", source: "peer", paint }, "watch");
}

function toAddress(imageUrl: string): string {
  return new URL(imageUrl, document.baseURI).href;
}

let all: readonly string[] = [];

window.stepBench = {
  graphics: findGraphics(),

  async prepare(imageUrls) {
    all = imageUrls;
    addPeer(all[0]!);
    map.addLayer(layer, "watch");
    showOurs(all[0]);
    while (!stage.isReady(all)) await nextFrame();
    await settle(0);
  },

  async stepOurs(imageUrl, phaseMs) {
    map.setLayoutProperty("peer", "visibility", "none");
    await settle(phaseMs);
    const done = repaintWith(() => stage.collect()[0]?.frame.imageUrl === imageUrl);
    const startedMs = performance.now();
    showOurs(imageUrl);
    const callMs = performance.now() - startedMs;
    return { ...since(startedMs, await done), callMs };
  },

  async stepPeer(imageUrl, phaseMs) {
    const source = map.getSource<ImageSource>("peer")!;
    showOurs(undefined);
    map.setLayoutProperty("peer", "visibility", "visible");
    await settle(phaseMs);
    const done = repaintWith(() => source.loaded());
    const startedMs = performance.now();
    source.updateImage({ url: toAddress(imageUrl) });
    return since(startedMs, await done);
  },
};

function since(startedMs: number, { beginMs, drawnMs }: StepTime): StepTime {
  return { beginMs: beginMs - startedMs, drawnMs: drawnMs - startedMs };
}

/**
 * Waits until map, GPU and page are idle, then until `phaseMs` after the start of a display frame. An idle map emits
 * "idle" only after a repaint, so this requests one.
 */
async function settle(phaseMs: number): Promise<void> {
  const idle = map.once("idle");
  map.triggerRepaint();
  await idle;
  waitForGpu(map.getCanvas().getContext("webgl2")!);
  await nextFrame();
  await nextFrame();
  if (phaseMs > 0) await new Promise((resolve) => setTimeout(resolve, phaseMs));
}

/** Waits for queued uploads by reading a pixel; `finish` does not guarantee that they are complete. */
function waitForGpu(gl: WebGL2RenderingContext): void {
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      resolve();
    });
  });
}

function findGraphics(): string {
  const gl = map.getCanvas().getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  return gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "unknown";
}
