// Daily storm reports of the Storm Prediction Center: `YYMMDD_rpts_hail.csv`, or all kinds in `YYMMDD_rpts.csv`, where
// each kind has its own heading. Times are UTC; the day runs from 12 to 12 UTC. Sizes are hundredths of an inch.
import Papa from "papaparse";
import { toPlainText } from "../overlays/reading/plain-text.ts";
import {
  joinPlace,
  refuseRow,
  toInstantMs,
  toKnots,
  toNumber,
  toPlace,
  toSizeMm,
  type RowPlace,
} from "./report-fields.ts";
import type { ReportKind, StormReport } from "./storm-report.ts";

const kinds: Readonly<Record<string, ReportKind>> = {
  size: "hail",
  speed: "wind",
  f_scale: "tornado",
  "f-scale": "tornado",
};

const heading = /^time,(?:size|speed|f[_-]scale),location,county,state,lat,lon,comments$/i;

/** Returns true for the heading of a kind. */
export function isSpcHeading(line: string): boolean {
  return heading.test(line.trim());
}

/** @throws AppError `source-invalid` for a row that cannot be read, and for a name without a day */
export function readSpcCsv(text: string, file: string): StormReport[] {
  const reports: StormReport[] = [];
  let kind: ReportKind | undefined;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === "") continue;
    const at = { file, row: `line ${index + 1}` };
    if (isSpcHeading(line)) kind = kinds[line.split(",")[1]!.trim().toLowerCase()];
    else if (kind) reports.push(toSpcReport(kind, toCells(line), at));
    else refuseRow(at, "a heading is missing");
  }
  return reports;
}

/** Comments may have commas and quotation marks of their own. */
function toCells(line: string): readonly string[] {
  const { data, errors } = Papa.parse<string[]>(line, { delimiter: "," });
  return errors.some(({ type }) => type === "Quotes") ? line.split(",") : data[0]!;
}

/** @param cells the columns of the heading, in its order */
export function toSpcReport(kind: ReportKind, cells: readonly string[], at: RowPlace): StormReport {
  const [time, magnitude, location, county, state, lat, lon, ...comments] = cells;
  if (lon === undefined) refuseRow(at, `${cells.length} columns are too few`);
  return {
    kind,
    atMs: toSpcInstant(time!, at),
    coordinate: toPlace(toNumber(lon, "Lon", at), toNumber(lat!, "Lat", at), at),
    ...(kind === "hail" ? { sizeMm: toSizeMm(toHailInches(magnitude!, at), at) } : {}),
    ...(kind === "wind" ? { windKt: toKnots(toNumber(magnitude!, "Speed", at)) } : {}),
    place: joinPlace([location, county, state]),
    remark: toPlainText(comments.join(",")),
  };
}

function toHailInches(size: string, at: RowPlace): number | undefined {
  const hundredths = toNumber(size, "Size", at);
  if (hundredths !== undefined && !Number.isInteger(hundredths)) {
    refuseRow(at, `Size ${hundredths} is not a whole number of hundredths of an inch`);
  }
  return hundredths === undefined ? undefined : hundredths / 100;
}

/** The first year of two digits in the name of a file: 50 is 1950, 49 is 2049. */
const firstYear = 1950;

/** Times before 12 UTC are of the next day. */
function toSpcInstant(time: string, at: RowPlace): number {
  const [, shortYear, month, day] = /(?:^|[\\/])(\d\d)(\d\d)(\d\d)_rpts[^\\/]*$/i.exec(at.file) ?? [];
  if (shortYear === undefined) {
    refuseRow(at, "the day is not in the name of the file, as in 240520_rpts_hail.csv");
  }
  const digits = /^\d{1,4}$/.test(time.trim()) ? time.trim().padStart(4, "0") : "9999";
  const [hour, minute] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  const year = Number(shortYear) + (Number(shortYear) < firstYear % 100 ? 2000 : 1900);
  const isDay = toInstantMs([year, Number(month), Number(day)], [0, 0]) !== undefined;
  if (!isDay) refuseRow(at, `${shortYear}${month}${day} in the name of the file is not a day`);
  if (hour > 23 || minute > 59) refuseRow(at, `Time "${time.slice(0, 40)}" is not hours and minutes`);
  return Date.UTC(year, Number(month) - 1, Number(day) + (hour < 12 ? 1 : 0), hour, minute);
}
