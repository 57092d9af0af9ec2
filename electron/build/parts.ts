// The parts that Echotop is built from: their sources, what they leave under `.vite`, and how they are made.
import { join } from "node:path";

export const partNames = [
  "viewer",
  "main",
  "preload",
  "render-worker",
  "generator-worker",
  "cli",
  "places",
  "briefing-map",
] as const;
export type PartName = (typeof partNames)[number];

/** Paths are relative to the project's root. */
export interface Part {
  readonly name: PartName;
  /** Files and folders whose change makes the part stale. */
  readonly sources: readonly string[];
  /** The file that must exist for the part to count as built. */
  readonly output: string;
  /** True if a build replaces the output's whole folder; otherwise other parts share it. */
  readonly ownsFolder: boolean;
  /** The Vite configuration that makes the part, or a module of the build that writes it. */
  readonly maker: { readonly viteConfig: string } | { readonly writer: "places" | "briefing-map" };
}

type Recipe = Omit<Part, "name" | "ownsFolder">;

const always = [
  "package.json",
  "package-lock.json",
  "electron/build/node-build.ts",
  "electron/build/packaged-files.ts",
];

/** Bundles an entry for Node. */
function nodeBundle(name: string, viteConfig: string, sources: readonly string[]): Recipe {
  return {
    sources: [...always, viteConfig, ...sources],
    output: `.vite/build/${name}.cjs`,
    maker: { viteConfig },
  };
}

const recipes: Readonly<Record<PartName, Recipe>> = {
  viewer: {
    sources: [...always, "electron/build/atlas", "electron/build/basemap", "renderer", "shared", "assets"],
    output: ".vite/renderer/index.html",
    maker: { viteConfig: "renderer/vite.config.ts" },
  },
  main: nodeBundle("main", "electron/build/vite.main.config.ts", ["electron", "shared"]),
  preload: nodeBundle("preload", "electron/build/vite.preload.config.ts", [
    "electron/preload.ts",
    "shared/contract",
  ]),
  "render-worker": nodeBundle("render-worker", "electron/build/vite.worker.config.ts", [
    "electron/pipeline/ingest",
    "electron/pipeline/grib2",
    "electron/pipeline/raster",
    "electron/platform/png",
    "shared",
  ]),
  "generator-worker": nodeBundle("generator-worker", "electron/build/vite.generator.config.ts", [
    "electron/pipeline/demo",
    "electron/platform/png",
    "shared",
  ]),
  cli: {
    sources: [...always, "electron", "shared"],
    output: ".vite/cli/cli.mjs",
    maker: { viteConfig: "electron/build/vite.cli.config.ts" },
  },
  places: {
    sources: [...always, "assets/ground", "electron/services/storm/places"],
    output: ".vite/assets/places.json",
    maker: { writer: "places" },
  },
  "briefing-map": {
    sources: [
      ...always,
      "electron/build/atlas",
      "electron/build/briefing-map",
      "electron/sharing/stills/atlas",
      "shared/geo",
    ],
    output: ".vite/assets/briefing-map.json",
    maker: { writer: "briefing-map" },
  },
};

export function getPart(name: PartName): Part {
  return { name, ownsFolder: name === "viewer" || name === "cli", ...recipes[name] };
}

/** Next to the bundles, and not packaged. */
export const stampPath = join(".vite", "build-stamp.json");
