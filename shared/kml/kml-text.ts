// Texts of KML documents (OGC 07-147r2): escaping, colors, and the elements that all our documents share.
import { toRgba } from "../products/palettes.ts";

/** Everything that XML 1.0 cannot hold, even escaped. */
// oxlint-disable-next-line no-control-regex
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Returns a text for an element's content or an attribute in double quotes. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(notInXml, "\ufffd")
    .replace(/[&<>"]/g, (letter) => entities[letter]!);
}

/** Returns `aabbggrr` of `#rrggbb` or `#rrggbbaa`. @param opacity is multiplied with that of the color */
export function toKmlColor(color: string, opacity = 1): string {
  const [red, green, blue, alpha] = toRgba(color);
  return [Math.round(alpha * opacity), blue, green, red]
    .map((part) => part.toString(16).padStart(2, "0"))
    .join("");
}

/** Returns an `ExtendedData` element of named values. */
export function toExtendedData(values: Readonly<Record<string, string | number>>): string {
  const items = Object.entries(values).map(
    ([name, value]) => `<Data name="${escapeXml(name)}"><value>${escapeXml(String(value))}</value></Data>`,
  );
  return `<ExtendedData>${items.join("")}</ExtendedData>`;
}

/** Returns a `TimeSpan` element. */
export function toTimeSpan(begin: string, end: string): string {
  return `<TimeSpan><begin>${escapeXml(begin)}</begin><end>${escapeXml(end)}</end></TimeSpan>`;
}

export function toKmlDocument(content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>\n${content}</Document></kml>\n`;
}
