// Draws overlays on the map: two sources and their layers for each, above the storm and below the names of places.
// Reports and the words of warnings are above those names.
// A source is filled again only when what it shows has changed.
import type { GeoJSONSource, LayerSpecification, Map as MapLibreMap } from "maplibre-gl";
import type { OverlayShape } from "../../../shared/overlays/overlay.ts";
import type { MapOverlay, ShapeAtPoint } from "./map-overlay.ts";
import { toFeatures } from "./overlay-features.ts";
import {
  bufferPx,
  overlayLayers,
  overlaySigns,
  overlaySourceIds,
  overlaySourcePrefix,
  plainReport,
  reportImagePrefix,
} from "./overlay-style.ts";
import { drawReport, reportPixelRatio } from "./report-image.ts";
import { findShapesAt, type HitPlace } from "./shape-hits.ts";
import { isInReach, toReachNm } from "./view-reach.ts";

/** The lowest and the highest layer of names; a map without a ground has none. */
const firstNames = "towns";
const lastNames = "radars";

interface Drawn {
  readonly overlay: MapOverlay;
  /** Shapes of the overlay that the map does not show too much of the ground for. */
  readonly shapes: readonly OverlayShape[];
}

export class OverlayLayers {
  /** The map while it has a style. */
  #map: MapLibreMap | undefined;
  #overlays: readonly MapOverlay[] = [];
  /** Content of the sources in the present style. */
  #drawn: readonly Drawn[] = [];

  /** Call it each time that the map has a new style. */
  addTo(map: MapLibreMap): void {
    this.#map = map;
    this.#drawn = [];
    this.#removeBut([]);
    this.#update();
  }

  /** Call it when the map loses its style; `addTo` then draws what was set meanwhile. */
  loseStyle(): void {
    this.#map = undefined;
  }

  /** Draws these overlays instead of the ones before, the first on top. */
  set(overlays: readonly MapOverlay[]): void {
    this.#overlays = overlays;
    this.#update();
  }

  /** Call it when the map has moved: shapes may be hidden farther out. */
  move(): void {
    if (this.#overlays.some(({ shapes }) => shapes.some(({ thresholdNm }) => thresholdNm !== undefined)))
      this.#update();
  }

  /** Returns the shapes on the map at a place, those of the first overlay first. */
  findAt(place: HitPlace): ShapeAtPoint[] {
    return this.#drawn.flatMap(({ overlay: { id }, shapes }) =>
      findShapesAt(shapes, place).map((shape) => ({ overlayId: id, shape })),
    );
  }

  #update(): void {
    const map = this.#map;
    if (!map) return;
    const before = this.#drawn;
    this.#drawn = this.#overlays.map((overlay) => toDrawn(overlay, map));
    const idsOf = (list: readonly Drawn[]): string => list.map(({ overlay }) => overlay.id).join(" ");
    const hasOrder = idsOf(before) === idsOf(this.#drawn);
    if (!hasOrder)
      this.#removeBut(
        this.#drawn.flatMap(({ overlay }) => {
          const { shapes, words } = overlaySourceIds(overlay.id);
          return [shapes, words];
        }),
      );
    for (const next of this.#drawn) {
      const last = before.find(({ overlay }) => overlay.id === next.overlay.id);
      if (!last || !isSame(last, next)) fill(map, next);
    }
    if (!hasOrder) this.#order(map);
  }

  #order(map: MapLibreMap): void {
    const ids = this.#drawn.toReversed().map(({ overlay }) => overlay.id);
    const layers = ids.flatMap(overlayLayers);
    const isSign = ({ type }: LayerSpecification): boolean => type === "symbol" || type === "circle";
    // No line covers a sign, whichever overlay it is of.
    const ordered = [...layers.filter((each) => !isSign(each)), ...layers.filter(isSign)];
    putBefore(map, ordered, map.getLayer(firstNames) && firstNames);
    putBefore(map, ids.flatMap(overlaySigns), findAboveNames(map));
  }

  /** Removes the sources of other overlays, also those that MapLibre restored after lost graphics. */
  #removeBut(sources: readonly string[]): void {
    const map = this.#map!;
    const style = map.getStyle();
    const isLeft = (source: string): boolean =>
      source.startsWith(overlaySourcePrefix) && !sources.includes(source);
    for (const layer of style.layers) {
      if ("source" in layer && isLeft(layer.source)) map.removeLayer(layer.id);
    }
    for (const source of Object.keys(style.sources)) if (isLeft(source)) map.removeSource(source);
  }
}

/** Returns the lowest layer above the names that is not of an overlay; undefined if there is none. */
function findAboveNames(map: MapLibreMap): string | undefined {
  const order = map.getLayersOrder();
  const last = order.indexOf(lastNames);
  return last < 0 ? undefined : order.slice(last + 1).find((id) => !id.startsWith(overlaySourcePrefix));
}

function putBefore(map: MapLibreMap, layers: readonly LayerSpecification[], above: string | undefined): void {
  for (const layer of layers) {
    if (map.getLayer(layer.id)) map.moveLayer(layer.id, above);
    else map.addLayer(layer, above);
  }
}

function fill(map: MapLibreMap, { overlay, shapes }: Drawn): void {
  const features = toFeatures({ ...overlay, shapes });
  const marks = features.shapes.flatMap(({ properties }) => (properties?.mark as string | undefined) ?? []);
  for (const mark of new Set([plainReport, ...marks])) {
    const name = `${reportImagePrefix}${mark}`;
    if (!map.hasImage(name)) map.addImage(name, drawReport(mark), { pixelRatio: reportPixelRatio });
  }
  const ids = overlaySourceIds(overlay.id);
  for (const part of ["shapes", "words"] as const) {
    const data = { type: "FeatureCollection" as const, features: [...features[part]] };
    const source = map.getSource<GeoJSONSource>(ids[part]);
    if (source) void source.setData(data);
    else
      map.addSource(ids[part], {
        ...{ type: "geojson", data, buffer: bufferPx[part] },
        ...{ tolerance: 0.3, maxzoom: 12 },
      });
  }
}

function isSame(a: Drawn, b: Drawn): boolean {
  return (
    a.overlay.words === b.overlay.words &&
    a.overlay.color === b.overlay.color &&
    a.overlay.hasFileColors === b.overlay.hasFileColors &&
    a.shapes.length === b.shapes.length &&
    a.shapes.every((shape, index) => shape === b.shapes[index])
  );
}

function toDrawn(overlay: MapOverlay, map: MapLibreMap): Drawn {
  const bounds = map.getBounds();
  const reachNm = toReachNm([bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]);
  return { overlay, shapes: overlay.shapes.filter((shape) => isInReach(shape, reachNm)) };
}
