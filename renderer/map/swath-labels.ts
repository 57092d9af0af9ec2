// Words on the map for the largest values so far: what its contours are, and which storm is the one of now.
import type { GeoJSONSource, Map as MapLibreMap, SymbolLayerSpecification } from "maplibre-gl";
import type { Coordinate } from "../../shared/contract/index.ts";

const sourceId = "swath-labels";

type LabelData = Parameters<GeoJSONSource["setData"]>[0];

export interface SwathLabel {
  readonly words: string;
  readonly coordinate: Coordinate;
  /** The side of the point on which the words stand. */
  readonly side: "west" | "south";
}

export class SwathLabels {
  #labels: readonly SwathLabel[] = [];

  /** Call it on each new style, which has no custom sources or layers. */
  addTo(map: MapLibreMap): void {
    if (!map.getSource(sourceId))
      map.addSource(sourceId, { type: "geojson", data: toLabelData(this.#labels) });
    if (!map.getLayer(sourceId)) map.addLayer(labelLayer);
  }

  /** May be called before the map has a style. */
  set(map: MapLibreMap | undefined, labels: readonly SwathLabel[]): void {
    this.#labels = labels;
    void map?.getSource<GeoJSONSource>(sourceId)?.setData(toLabelData(labels));
  }
}

/** Far out, where a storm is a few pixels wide, words would only hide it. */
const labelLayer: SymbolLayerSpecification = {
  id: sourceId,
  type: "symbol",
  source: sourceId,
  minzoom: 6.5,
  layout: {
    "text-field": ["get", "words"],
    "text-font": ["Noto Sans SemiBold"],
    "text-size": 12,
    "text-anchor": ["match", ["get", "side"], "west", "right", "top"],
    "text-offset": ["match", ["get", "side"], "west", ["literal", [-0.4, 0]], ["literal", [0, 0.5]]],
    "text-allow-overlap": true,
  },
  paint: { "text-color": "#ffffff", "text-halo-color": "#070b10", "text-halo-width": 1.8 },
};

function toLabelData(labels: readonly SwathLabel[]): LabelData {
  return {
    type: "FeatureCollection",
    features: labels.map(({ words, side, coordinate }) => ({
      type: "Feature",
      properties: { words, side },
      geometry: { type: "Point", coordinates: [...coordinate] },
    })),
  };
}
