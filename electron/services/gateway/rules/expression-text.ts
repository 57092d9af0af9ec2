// Text of expressions: ASCII case, the text of headers, and search in linear time.

/** Converts ASCII letters only. */
export function toAsciiLower(text: string): string {
  return text.replace(/[ -~]+/g, (run) => run.toLowerCase());
}

/** Converts ASCII letters only. */
export function toAsciiUpper(text: string): string {
  return text.replace(/[ -~]+/g, (run) => run.toUpperCase());
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes a header or request target, which has one character per byte, as UTF-8. Returns invalid UTF-8 unchanged. */
export function toText(bytes: string): string {
  if (!/[\u0080-\u00FF]/.test(bytes) || /[^\u0000-\u00FF]/.test(bytes)) return bytes;
  try {
    return decoder.decode(Buffer.from(bytes, "latin1"));
  } catch {
    // The charset of these bytes is unknown.
    return bytes;
  }
}

/** Returns the first offset of the needle at or after `from`, or -1. */
export type TextSearch = (haystack: string, from: number) => number;

/** The built-in search is fast, but at worst takes the product of both lengths: harmless up to this length. */
const shortNeedleChars = 32;

/** Creates a search whose time is linear in both texts. */
export function createTextSearch(needle: string): TextSearch {
  if (needle.length <= shortNeedleChars) return (haystack, from) => haystack.indexOf(needle, from);
  const borders = toBorders(needle);
  return (haystack, from) => {
    let matched = 0;
    for (let at = from; at < haystack.length; at += 1) {
      matched = advance(needle, borders, matched, haystack.charCodeAt(at));
      if (matched === needle.length) return at - needle.length + 1;
    }
    return -1;
  };
}

/** Knuth, Morris, Pratt: entry i is the length of the longest proper border of the first i characters. */
function toBorders(needle: string): Uint32Array {
  const borders = new Uint32Array(needle.length + 1);
  let matched = 0;
  for (let at = 1; at < needle.length; at += 1) {
    matched = advance(needle, borders, matched, needle.charCodeAt(at));
    borders[at + 1] = matched;
  }
  return borders;
}

function advance(needle: string, borders: ArrayLike<number>, matched: number, code: number): number {
  let length = matched;
  while (length > 0 && needle.charCodeAt(length) !== code) length = borders[length] ?? 0;
  return needle.charCodeAt(length) === code ? length + 1 : length;
}
