// The embedded place provider: the built gazetteer, read and indexed at the first search.
import { readFile } from "node:fs/promises";
import { maxPlaceResults } from "../storm-limits.ts";
import { GazetteerData } from "./gazetteer-data.ts";
import { createPlaceIndex, type PlaceIndex } from "./place-index.ts";
import type { PlaceProvider } from "./place-provider.ts";

export const gazetteerAttribution =
  "Places: GeoNames (geonames.org), CC BY 4.0. Counties, states and ZIP code areas: U.S. Census Bureau.";

/**
 * `file` is the output of `writeGazetteer`. If it is missing or of another version, a search first builds it: about 1
 * s.
 */
export function createGazetteer(file: string): PlaceProvider {
  let index: Promise<PlaceIndex> | undefined;
  return {
    async search(query) {
      index ??= loadGazetteer(file).then(createPlaceIndex);
      return { attribution: gazetteerAttribution, results: (await index).search(query, maxPlaceResults) };
    },
    close: () => Promise.resolve(),
  };
}

async function loadGazetteer(file: string): Promise<GazetteerData> {
  try {
    const prepared = GazetteerData.safeParse(JSON.parse(await readFile(file, "utf8")));
    if (prepared.success) return prepared.data;
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (!isAbsent && !(error instanceof SyntaxError)) throw error;
  }
  const { buildGazetteer } = await import("./build-gazetteer.ts");
  return buildGazetteer();
}
