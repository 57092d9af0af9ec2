import { validateStyleMin } from "@maplibre/maplibre-gl-style-spec";
import type { LayerSpecification } from "maplibre-gl";
import { describe, expect, test } from "vitest";
import { basemapColors } from "./basemap-colors.ts";
import { groundParts, mapThemes } from "./ground-parts.ts";
import { labelLayers } from "./label-layers.ts";
import { landLayers } from "./land-layers.ts";
import { firstLineLayer, lineLayers } from "./line-layers.ts";

const layersOf = (theme: (typeof mapThemes)[number]): LayerSpecification[] => {
  const colors = basemapColors[theme];
  return [...landLayers(colors), ...lineLayers(colors), ...labelLayers(colors)];
};
const dark = layersOf("dark");
const indexOf = (id: string): number => dark.findIndex((layer) => layer.id === id);

describe("the layers of the ground", () => {
  test.each(mapThemes)("are valid in the %s theme", (theme) => {
    const names = new Set(layersOf(theme).flatMap((layer) => ("source" in layer ? layer.source : [])));
    const sources = Object.fromEntries(
      [...names].map((name) => [name, { type: "geojson" as const, data: "https://map.example/data.json" }]),
    );
    expect(validateStyleMin({ version: 8, sources, layers: layersOf(theme) })).toEqual([]);
  });

  test("differ between the themes by paint alone, so that a change of theme loads nothing", () => {
    const withoutPaint = (layers: readonly LayerSpecification[]): unknown[] =>
      layers.map((layer) => ({ ...layer, paint: Object.keys(layer.paint ?? {}) }));
    expect(withoutPaint(layersOf("light"))).toEqual(withoutPaint(dark));
  });

  test("have the storm above the land and below every line and label", () => {
    const storm = indexOf(firstLineLayer);
    expect(dark.slice(0, storm).map(({ id }) => id)).toEqual(
      landLayers(basemapColors.dark).map(({ id }) => id),
    );
    expect(dark.slice(storm).every(({ type }) => type === "line" || type === "symbol")).toBe(true);
  });

  test("belong to a switch each, but for land, coast, states and the Great Lakes", () => {
    const fixed = dark.filter(({ metadata }) => metadata === undefined).map(({ id }) => id);
    expect(fixed).toEqual([
      ...["water", "land", "great-lakes", "border-seam", "us-land"],
      ...["coast-lines", "state-casing", "state-lines"],
    ]);
    const parts = new Set(dark.map(({ metadata }) => (metadata as { part?: string } | undefined)?.part));
    for (const part of groundParts) expect(parts).toContain(part);
  });

  test("place cities before counties' names, and airports and radars before both", () => {
    const order = ["towns", "county-names", "places", "airports", "radars"].map(indexOf);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
  });
});
