// Where the parts of an unbundled Echotop lie, for the hosts that run under plain Node: the command line and the launcher.
import { fileURLToPath } from "node:url";

/** The built viewer, made by `npm run build`. */
export const viewerDirectory = fileURLToPath(new URL("../.vite/renderer", import.meta.url));

/** The prepared gazetteer, made by `npm run build`. */
export const gazetteerFile = fileURLToPath(new URL("../.vite/assets/places.json", import.meta.url));

/** The base map of briefings, made by `npm run build`. */
export const briefingMapFile = fileURLToPath(new URL("../.vite/assets/briefing-map.json", import.meta.url));

/** The directory of known crawlers. */
export const botsFile = fileURLToPath(new URL("../assets/bots.json", import.meta.url));

/** The ingest worker, run from source. */
export const renderWorkerUrl = new URL("./ingest/render-worker.ts", import.meta.url);

/** The demonstration generator's worker, run from source. */
export const generatorWorkerUrl = new URL("./demo/generator-worker.ts", import.meta.url);
