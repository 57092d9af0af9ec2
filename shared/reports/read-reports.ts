// Reads a file of storm reports, whichever public form it has. A row that cannot be read refuses the whole file: a
// report that is left out silently would be missing from the count.
import { AppError } from "../app-error.ts";
import { overlayLimits } from "../overlays/overlay.ts";
import { readReportsGeoJson, refuseCount } from "./geojson-reports.ts";
import { isIemHeading, readIemCsv } from "./iem-reports.ts";
import { isSpcHeading, readSpcCsv } from "./spc-reports.ts";
import type { StormReport } from "./storm-report.ts";

const byteOrderMark = "\uFEFF";

/** Properties that only reports have, looked for where the first feature is. */
const reportProperty = /"(?:typetext|hail_size|utc_datetime)"\s*:/i;
const firstFeatureLength = 16_384;

/** Returns true for the forms of the Storm Prediction Center and the Iowa Environmental Mesonet. */
export function isReportsFile(text: string): boolean {
  if (/^\s*\{/.test(text)) return reportProperty.test(text.slice(0, firstFeatureLength));
  const line = findFirstLine(text);
  return isSpcHeading(line) || isIemHeading(line);
}

/**
 * Returns every report in the order of the file.
 * @param file name or path of the file: it says the day of a daily file, and names the file in errors
 * @throws AppError `source-invalid` with a sentence that names the file and the line
 */
export function readReports(text: string, file: string): StormReport[] {
  const content = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  if (content.length > overlayLimits.bytes) {
    throw new AppError("source-invalid", `${file}: it is larger than ${overlayLimits.bytes / 2 ** 20} MB.`);
  }
  if (/^\s*\{/.test(content)) return readReportsGeoJson(content, file);
  const line = findFirstLine(content);
  const read = isSpcHeading(line) ? readSpcCsv : isIemHeading(line) ? readIemCsv : undefined;
  if (!read) {
    throw new AppError(
      "source-invalid",
      `${file}: it is not a file of storm reports of the Storm Prediction Center or the Iowa Environmental Mesonet.`,
    );
  }
  const reports = read(content, file);
  if (reports.length > overlayLimits.shapes) refuseCount(file);
  return reports;
}

function findFirstLine(text: string): string {
  return /\S[^\r\n]*/.exec(text.startsWith(byteOrderMark) ? text.slice(1) : text)?.[0] ?? "";
}
