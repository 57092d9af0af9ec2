// Marks the pinned places with numbered drops, the chosen one in the accent color. A press on a drop finds its number.
import type { GeoJSONSource, Map as MapLibreMap, SymbolLayerSpecification } from "maplibre-gl";
import type { Coordinate } from "../../shared/contract/index.ts";
import type { MapPlace } from "./scene.ts";

const sourceId = "pinned-places";
const widthPx = 22;
const heightPx = 28;
const pixelRatio = 2;
/** The accent color of selections. */
const chosenColor = "#5cc8ff";
const dropColor = "#f4f8fb";
const inkColor = "#05131b";

type PinData = Parameters<GeoJSONSource["setData"]>[0];

/** Pins in the order of their numbers, from 1. */
export interface MapPins {
  readonly places: readonly MapPlace[];
  readonly chosen: number;
}

export class PinMarkers {
  #pins: MapPins = { places: [], chosen: 0 };

  /** Call it on each new style, which has no custom images, sources or layers. */
  addTo(map: MapLibreMap): void {
    this.#addImages(map);
    if (!map.getSource(sourceId)) map.addSource(sourceId, { type: "geojson", data: toPinData(this.#pins) });
    if (!map.getLayer(sourceId)) map.addLayer(pinLayer);
  }

  /** May be called before the map has a style. */
  set(map: MapLibreMap | undefined, pins: MapPins): void {
    this.#pins = pins;
    if (!map) return;
    this.#addImages(map);
    void map.getSource<GeoJSONSource>(sourceId)?.setData(toPinData(pins));
  }

  /** Returns the index of the pin whose drop is at a point of the map, in CSS pixels. */
  findAt(map: MapLibreMap, { xPx, yPx }: { readonly xPx: number; readonly yPx: number }): number | undefined {
    const index = this.#pins.places.findIndex(({ coordinate }) => {
      const { x, y } = map.project(toPoint(coordinate));
      return Math.abs(xPx - x) <= widthPx / 2 && yPx <= y && yPx >= y - heightPx;
    });
    return index < 0 ? undefined : index;
  }

  #addImages(map: MapLibreMap): void {
    this.#pins.places.forEach((_, index) => {
      for (const isChosen of [false, true]) {
        const name = imageName(index, isChosen);
        if (!map.hasImage(name)) map.addImage(name, drawDrop(String(index + 1), isChosen), { pixelRatio });
      }
    });
  }
}

const pinLayer: SymbolLayerSpecification = {
  id: sourceId,
  type: "symbol",
  source: sourceId,
  layout: {
    "icon-image": ["get", "image"],
    "icon-anchor": "bottom",
    "icon-allow-overlap": true,
    "text-field": ["get", "name"],
    "text-font": ["Noto Sans SemiBold"],
    "text-size": 13,
    "text-anchor": "left",
    "text-offset": [1, -1.1],
    "text-max-width": 14,
    "text-allow-overlap": true,
  },
  paint: { "text-color": "#ffffff", "text-halo-color": "#070b10", "text-halo-width": 1.8 },
};

function toPoint([longitude, latitude]: Coordinate): [number, number] {
  return [longitude, latitude];
}

function imageName(index: number, isChosen: boolean): string {
  return `pin-${index + 1}${isChosen ? "-chosen" : ""}`;
}

function toPinData({ places, chosen }: MapPins): PinData {
  return {
    type: "FeatureCollection",
    features: places.map(({ name, coordinate }, index) => ({
      type: "Feature",
      properties: { name, image: imageName(index, index === chosen) },
      geometry: { type: "Point", coordinates: toPoint(coordinate) },
    })),
  };
}

/** Draws a drop whose tip is at the middle of the lower edge. */
function drawDrop(number: string, isChosen: boolean): ImageData {
  const canvas = new OffscreenCanvas(widthPx * pixelRatio, heightPx * pixelRatio);
  const context = canvas.getContext("2d")!;
  context.scale(pixelRatio, pixelRatio);
  const [middle, radius] = [widthPx / 2, 8.5];
  context.beginPath();
  context.arc(middle, 10, radius, Math.PI * 0.82, Math.PI * 0.18);
  context.lineTo(middle, heightPx - 1.5);
  context.closePath();
  context.fillStyle = isChosen ? chosenColor : dropColor;
  context.strokeStyle = inkColor;
  context.lineWidth = 2;
  context.lineJoin = "round";
  context.stroke();
  context.fill();
  context.fillStyle = inkColor;
  context.font = '600 12px "Noto Sans", sans-serif';
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(number, middle, 10.5);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
