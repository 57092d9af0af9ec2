// The places that the map names, read once from the map's own file when the first probe wants them.
import { use } from "react";
import { placesUrl } from "virtual:basemap";
import type { PlaceCollection } from "../../../shared/geo/basemap-features.ts";
import type { PlacePoint } from "../../../shared/geo/nearest-place.ts";

interface NamedPlace extends PlacePoint {
  /** Lowest zoom at which the map shows the name. */
  readonly zoom: number;
}

let reading: Promise<readonly NamedPlace[]> | undefined;
/** After a reading that failed, the next probe asks again, but not sooner than this. */
const retryAfterMs = 10_000;

async function readNamedPlaces(): Promise<readonly NamedPlace[]> {
  try {
    const response = await fetch(placesUrl);
    if (!response.ok) throw new Error(`The places' file was answered with ${response.status}.`);
    // The file is part of this very build, made by the type it is read as.
    const { features } = (await response.json()) as PlaceCollection;
    return features.map(({ geometry, properties }) => ({
      name: properties.name,
      longitude: geometry.coordinates[0]!,
      latitude: geometry.coordinates[1]!,
      zoom: properties.zoom,
    }));
  } catch {
    // Without it the probe says coordinates alone, which are right.
    setTimeout(() => {
      reading = undefined;
    }, retryAfterMs);
    return [];
  }
}

/** Suspends its component until the places are there. */
export function useNamedPlaces(): readonly NamedPlace[] {
  reading ??= readNamedPlaces();
  return use(reading);
}
