// A PMTiles archive of the user's own, read in this page from the file that they chose: no request leaves it. Its
// layers are unknown, so every line and area gets a thin line, every point a dot, and what has a name its name.
import { addProtocol, type LayerSpecification, type Map as MapLibreMap } from "maplibre-gl";
import * as z from "zod";
import { basemapColors } from "../basemap/basemap-colors.ts";
import { firstLineLayer } from "../basemap/line-layers.ts";
import type { MapTheme } from "../basemap/ground-parts.ts";

export const userMapSource = "user-map";
const protocol = "pmtiles";
const mostLayers = 64;

/** The layers that a vector archive names. */
const Metadata = z.object({
  vector_layers: z
    .array(z.object({ id: z.string(), fields: z.record(z.string(), z.unknown()).catch({}) }))
    .max(mostLayers)
    .catch([]),
});
type VectorLayer = z.infer<typeof Metadata>["vector_layers"][number];

interface Archive {
  readonly url: string;
  readonly isVector: boolean;
  readonly layers: readonly VectorLayer[];
}

/** Thrown for a file that is not a map; the message is a sentence for a person. */
export class NotAMapError extends Error {
  override readonly name = "NotAMapError";
}

let opened = 0;

/** Opens a PMTiles file. Throws a NotAMapError if it cannot be used. */
async function openArchive(file: File): Promise<Archive> {
  const { PMTiles, Protocol, TileType } = await import("pmtiles");
  const key = `file-${++opened}`;
  const archive = new PMTiles({
    getKey: () => key,
    getBytes: async (offset, length) => ({
      data: await file.slice(offset, offset + length).arrayBuffer(),
    }),
  });
  const { header, metadata } = await readHead(archive);
  const isVector = header.tileType === TileType.Mvt;
  const { vector_layers: layers } = Metadata.parse(metadata);
  if (isVector && layers.length === 0) throw new NotAMapError(`${file.name} names no layers.`);
  const tiles = new Protocol();
  tiles.add(archive);
  // The newest file replaces the one before.
  addProtocol(protocol, tiles.tile);
  return { url: `${protocol}://${key}`, isVector, layers };

  async function readHead(pmtiles: InstanceType<typeof PMTiles>) {
    try {
      return { header: await pmtiles.getHeader(), metadata: (await pmtiles.getMetadata()) ?? {} };
    } catch (error) {
      throw new NotAMapError(`${file.name} is not a PMTiles file.`, { cause: error });
    }
  }
}

export class UserMap {
  #archive: Archive | undefined;
  #wanted: File | undefined;
  #added: string[] = [];

  /** Shows the map of a file instead of the one before; undefined removes it. Throws a NotAMapError. */
  async show(file: File | undefined, map: MapLibreMap, theme: MapTheme): Promise<void> {
    this.#wanted = file;
    this.#remove(map);
    this.#archive = undefined;
    if (!file) return;
    const archive = await openArchive(file);
    if (this.#wanted !== file) return;
    this.#archive = archive;
    this.addTo(map, theme);
  }

  /** Adds the layers; call it again after the style or the theme changed. */
  addTo(map: MapLibreMap, theme: MapTheme): void {
    this.#remove(map);
    const archive = this.#archive;
    if (!archive) return;
    map.addSource(userMapSource, { type: archive.isVector ? "vector" : "raster", url: archive.url });
    for (const layer of archive.isVector ? toVectorLayers(archive.layers, theme) : [rasterLayer]) {
      // Raster tiles cover the ground, below the storm; lines and names are above it, below those of the basemap.
      const before =
        layer.type === "raster" ? "rivers" : layer.type === "symbol" ? "county-names" : firstLineLayer;
      map.addLayer(layer, before);
      this.#added.push(layer.id);
    }
  }

  #remove(map: MapLibreMap): void {
    for (const id of this.#added) if (map.getLayer(id)) map.removeLayer(id);
    this.#added = [];
    if (map.getSource(userMapSource)) map.removeSource(userMapSource);
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
