// Comma-separated values (RFC 4180) that a spreadsheet takes as text: what would be a formula is not one.

/** What a spreadsheet may begin a formula with; tab and carriage return are skipped by some before they look. */
const formulaStart = /^[=+\-@\t\r]/;
const needsQuotes = /[",\r\n]/;

/** One line with its end. Absent values are empty; numbers are written as they are. */
export function toCsvLine(values: readonly (string | number | undefined)[]): string {
  return `${values.map(toCell).join(",")}\r\n`;
}

function toCell(value: string | number | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = formulaStart.test(value) ? `'${value}` : value;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
