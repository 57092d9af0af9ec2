// The place of the probe in words: distance and direction from the nearest place that the map names.
import { use, type ReactNode } from "react";
import type { Coordinate } from "../../../shared/contract/index.ts";
import { findNearestPlace, toPlaceWords } from "../../../shared/geo/nearest-place.ts";
import { useViewerState } from "../../viewer-context.ts";
import { readNamedPlacesOnce } from "../hooks/named-places.ts";

/** Suspends until the places are read from the basemap's file. */
export function ProbePlace({ coordinate }: { readonly coordinate: Coordinate }): ReactNode {
  const zoom = useViewerState((state) => state.view?.zoom ?? 0);
  const unit = useViewerState((state) => state.lengthUnit);
  const nearest = findNearestPlace(use(readNamedPlacesOnce()), coordinate, {
    isCandidate: (place) => place.zoom <= zoom,
  });
  return nearest ? `${toPlaceWords(nearest, nearest.place.name, unit)} · ` : null;
}
