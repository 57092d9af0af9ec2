// The ground under the storm: theme, parts switched on and off, and the sources that load when they are first seen.
import type { GeoJSONSource, Map as MapLibreMap, StyleSpecification } from "maplibre-gl";
import { createBasemapStyle, groundSources } from "../basemap/basemap-style.ts";
import { createGroundImages } from "../basemap/ground-images.ts";
import { defaultGround, type GroundPart, type GroundShown, type MapTheme } from "../basemap/ground-parts.ts";

type PaintProperty = Parameters<MapLibreMap["setPaintProperty"]>[1];
type PaintValue = Parameters<MapLibreMap["setPaintProperty"]>[2];

export class Ground {
  #theme: MapTheme = "dark";
  #shown: GroundShown = defaultGround;
  /** Late sources that have been asked for. */
  readonly #asked = new Set<string>();
  #map: MapLibreMap | undefined;

  createStyle(): StyleSpecification {
    return createBasemapStyle(this.#theme);
  }

  /** Returns a style with the fonts of labels and nothing else: transparent. */
  createEmptyStyle(): StyleSpecification {
    return { ...this.createStyle(), sources: {}, layers: [] };
  }

  /** Call it each time that the map has a new style. */
  addTo(map: MapLibreMap): void {
    this.#map = map;
    this.#asked.clear();
    this.#paint();
    this.#switchLayers();
    this.loadSeen();
  }

  /** Call it when the map loses its style; `addTo` then applies what was chosen meanwhile. */
  loseStyle(): void {
    this.#map = undefined;
  }

  setTheme(theme: MapTheme): void {
    if (theme === this.#theme) return;
    this.#theme = theme;
    if (this.#map) this.#paint();
  }

  setShown(shown: GroundShown): void {
    this.#shown = shown;
    if (!this.#map) return;
    this.#switchLayers();
    this.loadSeen();
  }

  /** Loads the sources that are seen at this zoom for the first time. */
  loadSeen(): void {
    if (!this.#map) return;
    const zoom = this.#map.getZoom();
    for (const [name, { fromZoom, parts }] of Object.entries(groundSources)) {
      if (fromZoom === undefined && parts === undefined) continue;
      const isSeen = zoom >= (fromZoom ?? 0) && (parts?.some((part) => this.#shown[part]) ?? true);
      if (!isSeen || this.#asked.has(name)) continue;
      this.#asked.add(name);
      this.load(name);
    }
  }

  /** Loads a source, also again; the map's events report the result. */
  load(name: string): void {
    const url = groundSources[name]?.url;
    if (url !== undefined) void this.#map?.getSource<GeoJSONSource>(name)?.setData(url);
  }

  #paint(): void {
    const map = this.#map!;
    for (const { id, image, options } of createGroundImages(this.#theme)) {
      if (map.hasImage(id)) map.updateImage(id, image);
      else map.addImage(id, image, options);
    }
    for (const { id, paint } of this.createStyle().layers) {
      for (const [property, value] of Object.entries(paint ?? {}) as [PaintProperty, PaintValue][]) {
        map.setPaintProperty(id, property, value);
      }
    }
  }

  #switchLayers(): void {
    for (const { id, metadata } of this.createStyle().layers) {
      const { part } = (metadata ?? {}) as { readonly part?: GroundPart };
      if (part) this.#map!.setLayoutProperty(id, "visibility", this.#shown[part] ? "visible" : "none");
    }
  }
}
