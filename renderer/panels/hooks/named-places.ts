// The places that the map names, read once from the basemap's file.
import { placesUrl } from "virtual:basemap";
import type { PlaceCollection } from "../../../shared/geo/basemap-features.ts";
import type { PlacePoint } from "../../../shared/geo/nearest-place.ts";

export interface NamedPlace extends PlacePoint {
  /** Lowest zoom at which the map shows the name. */
  readonly zoom: number;
}

let reading: Promise<readonly NamedPlace[]> | undefined;
/** Least time between a failed read and the next try. */
const retryAfterMs = 10_000;

/** Shares one read by all who ask; empty if the file cannot be read. */
export function readNamedPlacesOnce(): Promise<readonly NamedPlace[]> {
  reading ??= readNamedPlaces();
  return reading;
}

async function readNamedPlaces(): Promise<readonly NamedPlace[]> {
  try {
    const response = await fetch(placesUrl);
    if (!response.ok) throw new Error(`The file of places was answered with ${response.status}.`);
    // The file is part of this build, which writes it with this type.
    const { features } = (await response.json()) as PlaceCollection;
    return features.map(({ geometry, properties }) => ({
      name: properties.name,
      longitude: geometry.coordinates[0]!,
      latitude: geometry.coordinates[1]!,
      zoom: properties.zoom,
    }));
  } catch {
    // Without places the probe shows coordinates only.
    setTimeout(() => {
      reading = undefined;
    }, retryAfterMs);
    return [];
  }
}
