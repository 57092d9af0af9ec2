// Comma-separated values (RFC 4180), safe for spreadsheets and terminals: no cell is a formula or a control sequence.
import { showControls } from "./visible-controls.ts";

/** First characters of a formula. Tab and carriage return, which some spreadsheets skip, are escaped before. */
const formulaStart = /^[=+\-@]/;
const needsQuotes = /[",]/;

export type CsvValue = string | number | undefined;

/** Returns a line with its CRLF. Undefined values are empty; numbers are not escaped. */
export function toCsvLine(values: readonly CsvValue[]): string {
  return `${values.map(toCell).join(",")}\r\n`;
}

function toCell(value: CsvValue): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const shown = showControls(value);
  const text = formulaStart.test(shown) ? `'${shown}` : shown;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
