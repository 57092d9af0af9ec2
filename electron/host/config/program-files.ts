// Paths of the program's files in a checkout: for the command line, from its bundle or its sources, and the launcher.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isBundled, projectRoot } from "../../platform/project-root.ts";
import type { ProgramFiles } from "./host-config.ts";

const [renderWorker, generatorWorker, frameWorker] = isBundled
  ? [".vite/cli/render-worker.mjs", ".vite/cli/generator-worker.mjs", ".vite/cli/frame-worker.mjs"]
  : [
      "electron/pipeline/ingest/render-worker.ts",
      "electron/pipeline/demo/generator-worker.ts",
      "electron/host/analysis/frame-worker.ts",
    ];

/** Module of the worker that reads published frames for the command line. */
export const frameWorkerUrl = pathToFileURL(join(projectRoot, frameWorker));

/** `npm run build` makes the files below `.vite`. */
export const programFiles: ProgramFiles = {
  gazetteerFile: join(projectRoot, ".vite", "assets", "places.json"),
  briefingMapFile: join(projectRoot, ".vite", "assets", "briefing-map.json"),
  botsFile: join(projectRoot, "assets", "bots.json"),
  viewerDirectory: join(projectRoot, ".vite", "renderer"),
  renderWorkerUrl: pathToFileURL(join(projectRoot, renderWorker)),
  generatorWorkerUrl: pathToFileURL(join(projectRoot, generatorWorker)),
};
