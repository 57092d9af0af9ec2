// Paths of the program's files in a checkout: for the command line, from its bundle or its sources, and the launcher.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ProgramFiles } from "./host-config.ts";

const here = import.meta.dirname;
const isBundle = !import.meta.filename.endsWith(".ts");
const root = isBundle ? join(here, "..", "..") : join(here, "..", "..", "..");

/** The bundle's workers lie beside it. */
const workers = isBundle
  ? [join(here, "render-worker.mjs"), join(here, "generator-worker.mjs")]
  : [
      join(root, "electron", "pipeline", "ingest", "render-worker.ts"),
      join(root, "electron", "pipeline", "demo", "generator-worker.ts"),
    ];

/** `npm run build` makes the files below `.vite`. */
export const programFiles: ProgramFiles = {
  gazetteerFile: join(root, ".vite", "assets", "places.json"),
  briefingMapFile: join(root, ".vite", "assets", "briefing-map.json"),
  botsFile: join(root, "assets", "bots.json"),
  viewerDirectory: join(root, ".vite", "renderer"),
  renderWorkerUrl: pathToFileURL(workers[0]!),
  generatorWorkerUrl: pathToFileURL(workers[1]!),
};
