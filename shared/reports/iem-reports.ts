// Local storm reports of the Iowa Environmental Mesonet as CSV: a heading from VALID on, times in UTC, magnitudes of
// hail in inches, `None` for an unknown one.
import Papa from "papaparse";
import { toPlainText } from "../overlays/reading/plain-text.ts";
import {
  joinPlace,
  parseUtc,
  refuseRow,
  toKnots,
  toNumber,
  toPlace,
  toSizeMm,
  type RowPlace,
} from "./report-fields.ts";
import type { ReportKind, StormReport } from "./storm-report.ts";

const needed = ["VALID", "LAT", "LON", "MAG", "TYPECODE"];

/** Codes of thunderstorm wind gusts and damage, other gusts and damage, and of winds over water, in knots there. */
const windCodes = "GDNOM";
const marineCode = "M";

/** Returns true for the heading of the file. */
export function isIemHeading(line: string): boolean {
  const columns = line.split(",").map((column) => column.trim().toUpperCase());
  return needed.every((column) => columns.includes(column));
}

/** @throws AppError `source-invalid` for a row that cannot be read */
export function readIemCsv(text: string, file: string): StormReport[] {
  const reports: StormReport[] = [];
  let columns: readonly string[] | undefined;
  let from = 0;
  let line = 1;
  Papa.parse<string[]>(text, {
    delimiter: ",",
    step: ({ data: cells, errors, meta }) => {
      const at = { file, row: `line ${line}` };
      line += countLines(text, from, meta.cursor);
      from = meta.cursor;
      if (errors.some(({ type }) => type === "Quotes")) refuseRow(at, "a quotation mark is not closed");
      if (cells.every((cell) => cell.trim() === "")) return;
      if (columns) reports.push(toReport(toFields(columns, cells), at));
      else columns = cells.map((cell) => cell.trim().toUpperCase());
    },
  });
  return reports;
}

function countLines(text: string, from: number, to: number): number {
  return text.slice(from, to).match(/\r\n|\r|\n/g)?.length ?? 0;
}

type Fields = Readonly<Partial<Record<string, string>>>;

function toFields(columns: readonly string[], cells: readonly string[]): Fields {
  return Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
}

function toReport(fields: Fields, at: RowPlace): StormReport {
  for (const column of needed) if (fields[column] === undefined) refuseRow(at, `${column} is missing`);
  const { VALID, LAT, LON, MAG, TYPECODE, CITY, COUNTY, STATE, SOURCE, REMARK } = fields;
  const mag = toNumber(MAG!, "MAG", at);
  return {
    ...toIemMagnitude(TYPECODE!, mag, at),
    atMs: parseUtc(VALID!, "VALID", at),
    coordinate: toPlace(toNumber(LON!, "LON", at), toNumber(LAT!, "LAT", at), at),
    place: joinPlace([CITY, COUNTY, STATE]),
    source: toPlainText(SOURCE ?? ""),
    remark: toPlainText(REMARK ?? ""),
  };
}

/** @param magnitude inches of hail, or the speed of a gust */
export function toIemMagnitude(
  code: string,
  magnitude: number | undefined,
  at: RowPlace,
): Pick<StormReport, "kind" | "sizeMm" | "windKt"> {
  const letter = code.trim().toUpperCase();
  const kind = toKind(letter);
  if (kind === "hail") return { kind, sizeMm: toSizeMm(magnitude, at) };
  if (kind !== "wind") return { kind };
  return { kind, windKt: letter === marineCode ? magnitude : toKnots(magnitude) };
}

function toKind(letter: string): ReportKind {
  if (letter === "H") return "hail";
  if (letter === "T") return "tornado";
  return letter !== "" && windCodes.includes(letter) ? "wind" : "other";
}
