// Words of files that other people wrote, made safe to show: plain text without markup, control characters and marks
// that turn the direction of writing.
import { overlayLimits } from "../overlay.ts";

const labelLength = 80;
/** Characters that are looked at; the rest of a longer text is dropped first. */
const readLength = 16 * overlayLimits.textLength;

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  deg: "°",
  ndash: "–",
  mdash: "—",
};

/** Elements whose content is not text; an unclosed one swallows the rest, as in a browser. */
const silent = new Map([
  ["script", "</script"],
  ["style", "</style"],
  ["!--", "-->"],
]);
const breaking = /^\/?(?:br|p|div|li|ul|ol|tr|table|h[1-6]|hr|blockquote)$/;

/** Converts text that may be HTML to plain text of at most `textLength` characters; undefined if nothing is left. */
export function toPlainText(text: string): string | undefined {
  const words = clean(decodeEntities(stripMarkup(text.slice(0, readLength))));
  const lines = words
    .split("\n")
    .map((line) => line.replace(/[^\S\n]+/g, " ").trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return shorten(lines, overlayLimits.textLength);
}

/** Converts text that may be HTML to one short line; undefined if nothing is left. */
export function toLabel(text: string): string | undefined {
  return shorten((toPlainText(text) ?? "").replace(/\s+/g, " "), labelLength);
}

/** Converts the name of a file to one line. It is no markup, and is not cut: two names must not become one. */
export function toPlainName(name: string): string {
  return clean(name).replace(/\s+/g, " ").trim();
}

function shorten(text: string, most: number): string | undefined {
  if (text === "") return undefined;
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Only what looks like a tag is one: `<1 in` is text. */
function stripMarkup(text: string): string {
  const lower = text.toLowerCase();
  const tag = /<(!--|\/?[a-z][a-z0-9:]*)/g;
  let plain = "";
  let at = 0;
  for (let found = tag.exec(lower); found; found = tag.exec(lower)) {
    const name = found[1]!;
    const silentEnd = silent.get(name);
    const endsAt = lower.indexOf(silentEnd ?? ">", tag.lastIndex);
    plain += text.slice(at, found.index);
    if (endsAt === -1) return silentEnd ? plain : plain + text.slice(found.index);
    if (breaking.test(name)) plain += "\n";
    at = lower.indexOf(">", endsAt) + 1 || text.length;
    tag.lastIndex = at;
  }
  return plain + text.slice(at);
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[String(name).toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}

/** Removes control characters, marks of direction, invisible characters and halves of surrogate pairs. */
function clean(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/\t/g, " ")
    .replace(/[^\P{C}\n]/gu, "");
}
