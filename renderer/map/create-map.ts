// Creates the MapLibre map of a container, without its layers: limits of zoom, and no input but the pointer's.
import { Map as MapLibreMap, type StyleSpecification } from "maplibre-gl";
import type { Bounds } from "../../shared/contract/index.ts";
import type { FixedMap } from "./scene.ts";

/** The lower 48 states. */
const homeBounds: Bounds = [-125, 24, -66.5, 50];
/** Shows the lower 48 states in a map 360 px wide, as at a zoom of 200 %. */
const minZoom = 1.75;
const maxZoom = 13;
export const fitPaddingPx = 24;
/** A map of another size than the screen shows the same area. */
const fixedZoomRoom = 3;

/** Returns undefined if this machine cannot draw a map. */
export function createMap(
  container: HTMLElement,
  style: StyleSpecification,
  fixed: FixedMap | undefined,
): MapLibreMap | undefined {
  try {
    const map = new MapLibreMap({
      container,
      style,
      ...(fixed && { interactive: false }),
      ...(typeof fixed === "object" && { pixelRatio: fixed.pixelRatio }),
      bounds: [...homeBounds],
      fitBoundsOptions: { padding: fitPaddingPx },
      minZoom: fixed ? minZoom - fixedZoomRoom : minZoom,
      maxZoom: fixed ? maxZoom + fixedZoomRoom : maxZoom,
      maxPitch: 0,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      // The app handles the keys: arrows move the crosshair, the rest is the same everywhere on the screen.
      keyboard: false,
      renderWorldCopies: false,
      attributionControl: false,
      fadeDuration: 0,
      maxCanvasSize: [8192, 8192],
      locale: { "Map.Title": "Map canvas" },
    });
    map.touchZoomRotate.disableRotation();
    // The region around the map is the one Tab stop.
    map.getCanvas().tabIndex = -1;
    // MapLibre makes it a landmark, which of several maps would have one name.
    map.getCanvas().role = "img";
    return map;
  } catch (error) {
    if (document.createElement("canvas").getContext("webgl2")) throw error;
    return undefined;
  }
}
