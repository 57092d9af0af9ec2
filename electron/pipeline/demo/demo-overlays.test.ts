// The made-up warnings and reports of the demonstration: valid times, places near the storms, and words that say so.
import { expect, test } from "vitest";
import { readGeoJson } from "../../../shared/overlays/geojson/geojson-overlay.ts";
import { readReportsGeoJson } from "../../../shared/reports/geojson-reports.ts";
import { createDemonstrationOverlays } from "./demo-overlays.ts";
import { region } from "./region.ts";

interface Alert {
  readonly geometry: { readonly coordinates: readonly (readonly (readonly [number, number])[])[] };
  readonly properties: Readonly<Record<string, string>>;
}

const overlays = createDemonstrationOverlays();
const textOf = (name: string): string =>
  Buffer.from(overlays.find(({ facts }) => facts.name === name)!.bytes).toString("utf8");
const [startMs, endMs] = [Date.UTC(2026, 4, 20, 21), Date.UTC(2026, 4, 20, 22)];

function expectInRegion([lon, lat]: readonly [number, number]): void {
  const { westUdeg, northUdeg, columns, rows, spacingXUdeg, spacingYUdeg } = region;
  expect(lon).toBeGreaterThan(westUdeg / 1e6);
  expect(lon).toBeLessThan((westUdeg + columns * spacingXUdeg) / 1e6);
  expect(lat).toBeLessThan(northUdeg / 1e6);
  expect(lat).toBeGreaterThan((northUdeg - rows * spacingYUdeg) / 1e6);
}

test("say that they are made up, and are the same each time", () => {
  for (const { facts } of overlays) {
    expect(facts).toMatchObject({ nature: "made-up" });
  }
  expect(createDemonstrationOverlays()).toEqual(overlays);
});

test("have a dozen reports during the hour, with hail below and above one inch", () => {
  const reports = readReportsGeoJson(textOf("reports"), "reports");
  expect(reports).toHaveLength(12);
  for (const { atMs, coordinate, remark } of reports) {
    expect(atMs).toBeGreaterThanOrEqual(startMs);
    expect(atMs).toBeLessThan(endMs);
    expectInRegion(coordinate);
    expect(remark).toContain("MADE UP");
  }
  const sizes = reports.flatMap(({ sizeMm }) => sizeMm ?? []);
  expect(Math.min(...sizes)).toBeLessThan(25.4);
  expect(Math.max(...sizes)).toBeGreaterThan(25.4);
  expect(new Set(reports.map(({ kind }) => kind))).toEqual(new Set(["hail", "wind", "tornado"]));
});

test("have warnings with closed outlines, valid in parts of the hour", () => {
  const { features } = JSON.parse(textOf("warnings")) as { features: Alert[] };
  expect(features.map(({ properties }) => properties.event).toSorted()).toEqual([
    "Severe Thunderstorm Warning",
    "Severe Thunderstorm Warning",
    "Severe Thunderstorm Warning",
    "Tornado Warning",
  ]);
  for (const { geometry, properties } of features) {
    const [ring] = geometry.coordinates;
    expect(ring!.at(-1)).toEqual(ring![0]);
    ring!.forEach(expectInRegion);
    expect(Date.parse(properties.onset!)).toBeLessThan(endMs);
    expect(Date.parse(properties.ends!)).toBeGreaterThan(startMs);
    expect(properties.headline).toContain("made up");
  }
});

test("have warnings that a viewer draws while they are valid", () => {
  const { shapes, notes } = readGeoJson({ name: "warnings", text: textOf("warnings") });
  expect(notes).toEqual([]);
  expect(shapes.map(({ warning, fromMs, toMs }) => [warning!.kind, toMs! > fromMs!])).toEqual([
    ["severe-thunderstorm", true],
    ["severe-thunderstorm", true],
    ["severe-thunderstorm", true],
    ["tornado", true],
  ]);
});
