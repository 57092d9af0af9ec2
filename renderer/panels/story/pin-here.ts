// Pins a place of the map under a name that people know.
import type { Coordinate } from "../../../shared/contract/index.ts";
import { findNearestPlace } from "../../../shared/geo/nearest-place.ts";
import { distanceKm, kmPerMile } from "../../../shared/geo/sphere.ts";
import type { PlacePin } from "../../state/slices/story-slice.ts";
import { coordinate as coordinateWords } from "../../text/format.ts";
import type { Viewer } from "../../viewer-context.ts";
import { readNamedPlacesOnce } from "../hooks/named-places.ts";

/** A point closer than this is at the place. */
const atKm = 2;
/** The crosshair, after a search, is on the place that was found. */
const onMarkKm = 0.5;
/** Digits of a degree that a pin keeps: 11 m. */
const digits = 4;

/** Pins the point, or the place found by search that it is on. */
export async function pinHere({ store }: Pick<Viewer, "store">, point: Coordinate): Promise<void> {
  const { chosenPlace, view } = store.getState();
  const pin =
    chosenPlace && distanceKm(chosenPlace.coordinate, point) <= onMarkKm
      ? { label: chosenPlace.label, coordinate: chosenPlace.coordinate }
      : await toPin(point, view?.zoom ?? 0);
  store.getState().pinPlace(pin);
}

/** Names a point by the nearest place that the map shows: `Norman`, `6 mi NE of Norman`. */
async function toPin(point: Coordinate, zoom: number): Promise<PlacePin> {
  const coordinate: Coordinate = [Number(point[0].toFixed(digits)), Number(point[1].toFixed(digits))];
  const places = await readNamedPlacesOnce();
  const nearest = findNearestPlace(places, coordinate, { isCandidate: (place) => place.zoom <= zoom });
  if (!nearest) return { label: coordinateWords(...coordinate), coordinate };
  const { place, distanceKm: km, direction } = nearest;
  const label = km < atKm ? place.name : `${Math.round(km / kmPerMile)} mi ${direction} of ${place.name}`;
  return { label, coordinate };
}
