// The place of the probe in words: distance and direction from the nearest place that the map names.
import { use, type ReactNode } from "react";
import { placesUrl } from "virtual:basemap";
import type { Coordinate } from "../../../shared/contract/index.ts";
import type { PlaceCollection } from "../../../shared/geo/basemap-features.ts";
import { findNearestPlace, toPlaceWords, type PlacePoint } from "../../../shared/geo/nearest-place.ts";
import { useViewerState } from "../../viewer-context.ts";

interface NamedPlace extends PlacePoint {
  /** Lowest zoom at which the map shows the name. */
  readonly zoom: number;
}

let reading: Promise<readonly NamedPlace[]> | undefined;
/** Least time between a failed read and the next try. */
const retryAfterMs = 10_000;

/** Suspends until the places are read from the basemap's file. */
export function ProbePlace({ coordinate }: { readonly coordinate: Coordinate }): ReactNode {
  const zoom = useViewerState((state) => state.view?.zoom ?? 0);
  const nearest = findNearestPlace(use(readNamedPlacesOnce()), coordinate, {
    isCandidate: (place) => place.zoom <= zoom,
  });
  return nearest ? `${toPlaceWords(nearest)} · ` : null;
}

/** Shares one read by all probes. */
function readNamedPlacesOnce(): Promise<readonly NamedPlace[]> {
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
