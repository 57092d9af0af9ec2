// Comma-separated values (RFC 4180) that a spreadsheet takes as text: what would be a formula is not one, and what would
// steer a terminal does not.
import { showControls } from "./visible-controls.ts";

/** What a spreadsheet may begin a formula with; tab and carriage return, which some skip before they look, are shown. */
const formulaStart = /^[=+\-@]/;
const needsQuotes = /[",]/;

/** One line with its end. Absent values are empty; numbers are written as they are. */
export function toCsvLine(values: readonly (string | number | undefined)[]): string {
  return `${values.map(toCell).join(",")}\r\n`;
}

function toCell(value: string | number | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const shown = showControls(value);
  const text = formulaStart.test(shown) ? `'${shown}` : shown;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
