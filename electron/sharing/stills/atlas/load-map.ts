// Loads the base map file for stills and texts.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { AppError } from "../../../../shared/app-error.ts";
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import {
  lineKinds,
  unpackLine,
  type BriefingMapFile,
  type FontOutlines,
  type FontWeight,
  type LineKind,
  type PackedLine,
} from "./briefing-map.ts";

export interface MapLine {
  readonly bounds: Bounds;
  /** Degrees, longitude first. */
  readonly points: readonly (readonly [longitude: number, latitude: number])[];
}

export interface MapPlace {
  readonly name: string;
  /** A state's postal code, or a country's name. */
  readonly region: string;
  readonly population: number;
  readonly longitude: number;
  readonly latitude: number;
}

export interface BriefingMap {
  /** Hash of the file: stills of another map are different. */
  readonly sha256: string;
  readonly lines: Readonly<Record<LineKind, readonly MapLine[]>>;
  readonly land: { readonly us: readonly MapLine[]; readonly abroad: readonly MapLine[] };
  /** Most important first. */
  readonly places: readonly MapPlace[];
  readonly fonts: Readonly<Record<FontWeight, FontOutlines>>;
}

/** @throws AppError `storage-failed` if the file is missing or damaged */
export async function loadBriefingMap(path: string): Promise<BriefingMap> {
  let text: string;
  let file: BriefingMapFile;
  try {
    text = await readFile(path, "utf8");
    file = JSON.parse(text) as BriefingMapFile;
  } catch (cause) {
    throw new AppError(
      "storage-failed",
      "The base map of briefings cannot be read; build Echotop again with npm run build.",
      {
        cause,
      },
    );
  }
  const { name, region, population, longitudeE4, latitudeE4 } = file.places;
  return {
    sha256: createHash("sha256").update(text).digest("hex"),
    lines: Object.fromEntries(lineKinds.map((kind) => [kind, file.lines[kind].map(toLine)])) as Record<
      LineKind,
      MapLine[]
    >,
    land: { us: file.land.us.map(toLine), abroad: file.land.abroad.map(toLine) },
    places: name.map((placeName, index) => ({
      name: placeName,
      region: region[index]!,
      population: population[index]!,
      longitude: longitudeE4[index]! / 1e4,
      latitude: latitudeE4[index]! / 1e4,
    })),
    fonts: file.fonts,
  };
}

function toLine(packed: PackedLine): MapLine {
  const points = unpackLine(packed);
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [longitude, latitude] of points) {
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  return { bounds: [west, south, east, north], points };
}

export function boundsMeet(a: Bounds, b: Bounds): boolean {
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}
