// Finding one text in another in time linear in both, whatever they are: the built-in search is quick, but multiplies the lengths at worst.

/** First offset of the needle at or after `from`, -1 where there is none. */
export type TextSearch = (haystack: string, from: number) => number;

/** Up to this length the product of the lengths is no matter, and the built-in search is used. */
const shortNeedleChars = 32;

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
