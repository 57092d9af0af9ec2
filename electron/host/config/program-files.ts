// Paths of the program's files when it runs from source under Node: for the command line and the launcher.
import { fileURLToPath } from "node:url";
import type { ProgramFiles } from "./host-config.ts";

const toPath = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** `npm run build` makes the files below `.vite`; workers run from source. */
export const programFiles: ProgramFiles = {
  gazetteerFile: toPath("../../../.vite/assets/places.json"),
  briefingMapFile: toPath("../../../.vite/assets/briefing-map.json"),
  botsFile: toPath("../../../assets/bots.json"),
  viewerDirectory: toPath("../../../.vite/renderer"),
  renderWorkerUrl: new URL("../../pipeline/ingest/render-worker.ts", import.meta.url),
  generatorWorkerUrl: new URL("../../pipeline/demo/generator-worker.ts", import.meta.url),
};
