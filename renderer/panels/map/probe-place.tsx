// Where the probe stands, in words, once the places are known.
import type { ReactNode } from "react";
import type { Coordinate } from "../../../shared/contract/index.ts";
import { findNearestPlace, toPlaceWords } from "../../../shared/geo/nearest-place.ts";
import { useViewerState } from "../../viewer-context.ts";
import { useNamedPlaces } from "./named-places.ts";

export function ProbePlace({ coordinate }: { coordinate: Coordinate }): ReactNode {
  const places = useNamedPlaces();
  const zoom = useViewerState((state) => state.view?.zoom ?? 0);
  const nearest = findNearestPlace(places, coordinate, { isCandidate: (place) => place.zoom <= zoom });
  return nearest ? ` · ${toPlaceWords(nearest)}` : null;
}
