// Marks the place that the person searched for: a ring and a label above all other labels, so that the basemap's own
// label of the place gives way.
import type { GeoJSONSource, Map as MapLibreMap, SymbolLayerSpecification } from "maplibre-gl";
import type { MapPlace } from "./scene.ts";

const sourceId = "chosen-place";
const ringImage = "place-ring";
const ringSizePx = 20;
const ringPixelRatio = 2;
/** The accent color of selections. */
const ringColor = [92, 200, 255] as const;
const rimColor = [7, 11, 16] as const;

type PlaceData = Parameters<GeoJSONSource["setData"]>[0];

export class PlaceMarker {
  #place: MapPlace | undefined;

  /** Call it on each new style, which has no custom images, sources or layers. */
  addTo(map: MapLibreMap): void {
    if (!map.hasImage(ringImage)) map.addImage(ringImage, createRing(), { pixelRatio: ringPixelRatio });
    if (!map.getSource(sourceId)) {
      map.addSource(sourceId, { type: "geojson", data: toPlaceData(this.#place) });
    }
    if (!map.getLayer(markerLayer.id)) map.addLayer(markerLayer);
  }

  /** May be called before the map has a style. */
  set(map: MapLibreMap | undefined, place: MapPlace | undefined): void {
    this.#place = place;
    void map?.getSource<GeoJSONSource>(sourceId)?.setData(toPlaceData(place));
  }
}

const markerLayer: SymbolLayerSpecification = {
  id: sourceId,
  type: "symbol",
  source: sourceId,
  layout: {
    "icon-image": ringImage,
    "icon-allow-overlap": true,
    "text-field": ["get", "name"],
    "text-font": ["Noto Sans SemiBold"],
    "text-size": 14,
    "text-variable-anchor": ["left", "right", "top", "bottom"],
    "text-radial-offset": 0.95,
    "text-justify": "auto",
    "text-max-width": 14,
    "text-allow-overlap": true,
  },
  paint: {
    "text-color": "#ffffff",
    "text-halo-color": `rgb(${rimColor.join(" ")})`,
    "text-halo-width": 1.8,
  },
};

function toPlaceData(place: MapPlace | undefined): PlaceData {
  return {
    type: "FeatureCollection",
    features: place
      ? [
          {
            type: "Feature",
            properties: { name: place.name },
            geometry: { type: "Point", coordinates: [...place.coordinate] },
          },
        ]
      : [],
  };
}

/** Draws a ring with a dark rim on both sides: visible over any echo, with the cell inside it left free. */
function createRing(): { width: number; height: number; data: Uint8ClampedArray } {
  const size = ringSizePx * ringPixelRatio;
  const data = new Uint8ClampedArray(size * size * 4);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const distance = Math.abs(Math.hypot(x + 0.5 - size / 2, y + 0.5 - size / 2) - 14);
      const ring = Math.min(1, Math.max(0, 2.5 - distance));
      const alpha = Math.min(1, Math.max(0, 5 - distance));
      const color = ringColor.map((light, channel) => light * ring + rimColor[channel]! * (1 - ring));
      data.set([...color, alpha * 255], (y * size + x) * 4);
    }
  }
  return { width: size, height: size, data };
}
