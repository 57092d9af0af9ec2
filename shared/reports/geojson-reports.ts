// Storm reports as GeoJSON points: those of the Iowa Environmental Mesonet (`type`, `valid`, `magnitude`), of map
// services with those of the Storm Prediction Center (`UTC_DATETIME`, `HAIL_SIZE`), and its daily files converted.
import * as z from "zod";
import { AppError } from "../app-error.ts";
import { overlayLimits } from "../overlays/overlay.ts";
import { toIemMagnitude } from "./iem-reports.ts";
import { toPlainText } from "../overlays/reading/plain-text.ts";
import {
  joinPlace,
  parseUtc,
  refuseRow,
  toNumber,
  toPlace,
  toSizeMm,
  type RowPlace,
} from "./report-fields.ts";
import { toSpcReport } from "./spc-reports.ts";
import type { StormReport } from "./storm-report.ts";

const ReportFeature = z.object({
  geometry: z.object({ type: z.literal("Point"), coordinates: z.array(z.number()).min(2) }).nullable(),
  properties: z.record(z.string(), z.unknown()),
});
const Features = z.object({ type: z.literal("FeatureCollection"), features: z.array(z.unknown()) });

/** No hailstone is ten inches large: from there on, sizes are hundredths of an inch. */
const hundredthsFrom = 10;

/** Properties by their names in lower case. */
type Properties = Readonly<Record<string, unknown>>;

/** @throws AppError `source-invalid` for a file that is not of reports, and for a report that cannot be read */
export function readReportsGeoJson(text: string, file: string): StormReport[] {
  const { features } = parseFeatures(text, file);
  if (features.length > overlayLimits.shapes) refuseCount(file);
  return features.map((feature, index) => {
    const at = { file, row: `feature ${index + 1}` };
    const { data } = ReportFeature.safeParse(feature);
    if (!data) refuseRow(at, "it is not a point with properties");
    const properties = Object.fromEntries(
      Object.entries(data.properties).map(([name, value]) => [name.toLowerCase(), value]),
    );
    return toReport(properties, data.geometry?.coordinates, at);
  });
}

function parseFeatures(text: string, file: string): z.infer<typeof Features> {
  try {
    return Features.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError("source-invalid", `${file}: it is not a collection of features in GeoJSON.`, {
      cause,
    });
  }
}

/** @throws AppError `source-invalid`, always */
export function refuseCount(file: string): never {
  const most = overlayLimits.shapes.toLocaleString("en-US");
  throw new AppError("source-invalid", `${file}: it has more than ${most} reports.`);
}

function toReport(
  properties: Properties,
  coordinates: readonly number[] | undefined,
  at: RowPlace,
): StormReport {
  const [lon, lat] = coordinates ?? [
    toNumber(toWords(properties.lon), "lon", at),
    toNumber(toWords(properties.lat), "lat", at),
  ];
  const common = {
    coordinate: toPlace(lon, lat, at),
    place: joinPlace(
      [properties.city ?? properties.location, properties.county, properties.st ?? properties.state].map(
        toWords,
      ),
    ),
    source: toPlainText(toWords(properties.source)),
    remark: toPlainText(toWords(properties.remark ?? properties.comments)),
  };
  if (properties.valid !== undefined) return { ...toIem(properties, at), ...common };
  if (properties.utc_datetime !== undefined) return { ...toMapService(properties, at), ...common };
  if (properties.time !== undefined) return { ...toConverted(properties, common, at), ...common };
  refuseRow(at, "it has no time, neither valid nor UTC_DATETIME");
}

type Facts = Pick<StormReport, "kind" | "atMs" | "sizeMm" | "windKt">;

function toIem(properties: Properties, at: RowPlace): Facts {
  const words = toWords(properties.typetext);
  const code = properties.type === undefined && /^hail$/i.test(words.trim()) ? "H" : toWords(properties.type);
  const magnitude = toNumber(toWords(properties.magnitude ?? properties.magf), "magnitude", at);
  const atMs = parseUtc(toWords(properties.valid), "valid", at);
  return { ...toIemMagnitude(code, magnitude, at), atMs };
}

function toMapService(properties: Properties, at: RowPlace): Facts {
  const written = properties.utc_datetime;
  const atMs =
    typeof written === "number" ? toEpochMs(written, at) : parseUtc(toWords(written), "UTC_DATETIME", at);
  if (properties.hail_size !== undefined) {
    const size = toNumber(toWords(properties.hail_size), "HAIL_SIZE", at);
    const inches = size !== undefined && size >= hundredthsFrom ? size / 100 : size;
    return { kind: "hail", atMs, sizeMm: toSizeMm(inches, at) };
  }
  if (properties.f_scale !== undefined) return { kind: "tornado", atMs };
  return { kind: properties.speed === undefined ? "other" : "wind", atMs };
}

/** Map services write times as milliseconds since 1970. */
function toEpochMs(ms: number, at: RowPlace): number {
  if (!Number.isInteger(ms) || Number.isNaN(new Date(ms).getTime())) {
    refuseRow(at, `UTC_DATETIME ${ms} is not a time`);
  }
  return ms;
}

function toConverted(
  properties: Properties,
  { coordinate: [lon, lat] }: Pick<StormReport, "coordinate">,
  at: RowPlace,
): Facts {
  const [kind, magnitude] = (
    [
      ["hail", properties.size],
      ["wind", properties.speed],
      ["tornado", properties.f_scale],
    ] as const
  ).find(([, value]) => value !== undefined) ?? ["other", ""];
  const cells = [toWords(properties.time), toWords(magnitude), "", "", "", String(lat), String(lon)];
  const { atMs, sizeMm, windKt } = toSpcReport(kind, cells, at);
  return { kind, atMs, sizeMm, windKt };
}

/** Returns the words of a text or a number; empty for anything else. */
function toWords(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
