// What Echotop is built from: each part's sources, what it leaves under `.vite`, and how it is made.
import { join } from "node:path";

export const partNames = [
  "viewer",
  "main",
  "preload",
  "render-worker",
  "generator-worker",
  "places",
  "briefing-map",
] as const;
export type PartName = (typeof partNames)[number];

export interface Part {
  readonly name: PartName;
  /** Files and folders, from the project's root, whose change makes the part stale. */
  readonly sources: readonly string[];
  /** What must be there, from the project's root, for the part to count as built. */
  readonly outputs: readonly string[];
  /** The Vite configuration that makes it, or the module that writes it. */
  readonly maker: { readonly viteConfig: string } | { readonly writer: "places" | "briefing-map" };
  /** A folder that is replaced as a whole, or one that other parts share. */
  readonly into: { readonly folder: string; readonly isShared: boolean };
}

const always = [
  "package.json",
  "package-lock.json",
  "electron/build/node-build.ts",
  "electron/build/packaged-files.ts",
];
const shared = { folder: ".vite/build", isShared: true } as const;

const parts: Readonly<Record<PartName, Omit<Part, "name">>> = {
  viewer: {
    sources: [...always, "electron/build/atlas", "electron/build/basemap", "renderer", "shared", "assets"],
    outputs: [".vite/renderer/index.html"],
    maker: { viteConfig: "renderer/vite.config.ts" },
    into: { folder: ".vite/renderer", isShared: false },
  },
  main: {
    sources: [...always, "electron", "shared"],
    outputs: [".vite/build/main.cjs"],
    maker: { viteConfig: "electron/build/vite.main.config.ts" },
    into: shared,
  },
  preload: {
    sources: [...always, "electron/preload.ts", "electron/build/vite.preload.config.ts", "shared/contract"],
    outputs: [".vite/build/preload.cjs"],
    maker: { viteConfig: "electron/build/vite.preload.config.ts" },
    into: shared,
  },
  "render-worker": {
    sources: [
      ...always,
      "electron/build/vite.worker.config.ts",
      "electron/pipeline/ingest",
      "electron/pipeline/grib2",
      "electron/pipeline/raster",
      "electron/platform/png",
      "shared",
    ],
    outputs: [".vite/build/render-worker.cjs"],
    maker: { viteConfig: "electron/build/vite.worker.config.ts" },
    into: shared,
  },
  "generator-worker": {
    sources: [
      ...always,
      "electron/build/vite.generator.config.ts",
      "electron/pipeline/demo",
      "electron/platform/png",
      "shared",
    ],
    outputs: [".vite/build/generator-worker.cjs"],
    maker: { viteConfig: "electron/build/vite.generator.config.ts" },
    into: shared,
  },
  places: {
    sources: [...always, "electron/services/storm/places"],
    outputs: [".vite/assets/places.json"],
    maker: { writer: "places" },
    into: { folder: ".vite/assets", isShared: true },
  },
  "briefing-map": {
    sources: [
      ...always,
      "electron/build/atlas",
      "electron/build/briefing-map",
      "electron/sharing/briefings/atlas",
      "shared/geo",
    ],
    outputs: [".vite/assets/briefing-map.json"],
    maker: { writer: "briefing-map" },
    into: { folder: ".vite/assets", isShared: true },
  },
};

export function getPart(name: PartName): Part {
  return { name, ...parts[name] };
}

/** Beside the bundles; not part of what is packaged. */
export const stampPath = join(".vite", "build-stamp.json");
