// A PMTiles archive of the user's own on the map (`map-archive.ts` reads it). Its layers are unknown, so every line and
// area gets a thin line, every point a dot, and what has a name its name.
import { addProtocol, type LayerSpecification, type Map as MapLibreMap } from "maplibre-gl";
import { basemapColors } from "../basemap/basemap-colors.ts";
import { firstLineLayer } from "../basemap/line-layers.ts";
import type { MapTheme } from "../basemap/ground-parts.ts";
import { openArchive, type MapArchive, type VectorLayer } from "./map-archive.ts";

export const userMapSource = "user-map";
const protocol = "pmtiles";

export class UserMap {
  /** The map while it has a style. */
  #map: MapLibreMap | undefined;
  #theme: MapTheme = "dark";
  #archive: MapArchive | undefined;
  #wanted: File | undefined;
  /** Layers in the style, also in one that MapLibre restores after lost graphics. */
  #added: string[] = [];

  /** Shows the map of a file instead of the one before; undefined removes it. Throws a NotAMapError. */
  async show(file: File | undefined): Promise<void> {
    this.#wanted = file;
    this.#archive = undefined;
    this.#update();
    if (!file) return;
    const archive = await this.#open(file);
    if (!archive) return;
    const { Protocol } = await import("pmtiles");
    if (this.#wanted !== file) return;
    const tiles = new Protocol();
    tiles.add(archive.tiles);
    // The newest file replaces the one before.
    addProtocol(protocol, tiles.tile);
    this.#archive = archive;
    this.#update();
  }

  setTheme(theme: MapTheme): void {
    this.#theme = theme;
    this.#update();
  }

  /** Call it each time that the map has a new style. */
  addTo(map: MapLibreMap): void {
    this.#map = map;
    this.#update();
  }

  /** Call it when the map loses its style; `addTo` then shows what was chosen meanwhile. */
  loseStyle(): void {
    this.#map = undefined;
  }

  /** Returns undefined, also for a file that cannot be used, if another one has been chosen meanwhile. */
  async #open(file: File): Promise<MapArchive | undefined> {
    try {
      return await openArchive(file);
    } catch (error) {
      if (this.#wanted === file) throw error;
      return undefined;
    }
  }

  #update(): void {
    const map = this.#map;
    if (!map) return;
    for (const id of this.#added) if (map.getLayer(id)) map.removeLayer(id);
    this.#added = [];
    if (map.getSource(userMapSource)) map.removeSource(userMapSource);
    const archive = this.#archive;
    if (!archive) return;
    map.addSource(userMapSource, {
      type: archive.isVector ? "vector" : "raster",
      url: `${protocol}://${archive.key}`,
    });
    for (const layer of archive.isVector ? toVectorLayers(archive.layers, this.#theme) : [rasterLayer]) {
      // Raster tiles cover the ground, below the storm; lines and names are above it, below those of the basemap.
      const before =
        layer.type === "raster" ? "rivers" : layer.type === "symbol" ? "county-names" : firstLineLayer;
      map.addLayer(layer, before);
      this.#added.push(layer.id);
    }
  }
}

const rasterLayer: LayerSpecification = { id: "user-map-tiles", type: "raster", source: userMapSource };

function toVectorLayers(layers: readonly VectorLayer[], theme: MapTheme): LayerSpecification[] {
  const { userMap, halo } = basemapColors[theme];
  return layers.flatMap(({ id, fields }): LayerSpecification[] => {
    const common = { source: userMapSource, "source-layer": id } as const;
    const lines: LayerSpecification = {
      ...common,
      id: `user-map-${id}-lines`,
      type: "line",
      filter: ["!=", ["geometry-type"], "Point"],
      paint: { "line-color": userMap, "line-width": 0.9 },
    };
    const points: LayerSpecification = {
      ...common,
      id: `user-map-${id}-points`,
      type: "circle",
      filter: ["==", ["geometry-type"], "Point"],
      paint: {
        "circle-color": userMap,
        "circle-radius": 2.5,
        "circle-stroke-color": halo,
        "circle-stroke-width": 1,
      },
    };
    if (!("name" in fields)) return [lines, points];
    const names: LayerSpecification = {
      ...common,
      id: `user-map-${id}-names`,
      type: "symbol",
      filter: ["==", ["geometry-type"], "Point"],
      layout: {
        "text-field": ["coalesce", ["get", "name"], ""],
        "text-font": ["Noto Sans Medium"],
        "text-size": 11,
        "text-anchor": "top",
        "text-offset": [0, 0.4],
      },
      paint: { "text-color": userMap, "text-halo-color": halo, "text-halo-width": 1.5 },
    };
    return [lines, points, names];
  });
}
