// Where the parser need not look: what a head is mostly made of leaves the parser as it was, and searching a string is
// many times faster than tokenizing it. Each function gives the index to go on at; the one it was given, if it cannot
// tell. Grammar: HTML standard, 13.2.5.

const [tab, lineFeed, formFeed, carriageReturn, space] = [9, 10, 12, 13, 32] as const;
const [doubleQuote, singleQuote, slash, lessThan, equals, greaterThan] = [34, 39, 47, 60, 61, 62] as const;

function isSpace(code: number): boolean {
  return code === space || code === lineFeed || code === tab || code === carriageReturn || code === formFeed;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** From the first sign of an attribute's value, after its `=`, to behind it; undefined where the text ends before. */
function skipValue(text: string, from: number): number | undefined {
  const first = text.charCodeAt(from);
  if (first === doubleQuote || first === singleQuote) {
    const end = text.indexOf(first === doubleQuote ? '"' : "'", from + 1);
    return end === -1 ? undefined : end + 1;
  }
  let at = from;
  while (at < text.length && !isSpace(text.charCodeAt(at)) && text.charCodeAt(at) !== greaterThan) at++;
  return at;
}

/** From behind a tag's name to behind its `>`; undefined where the text ends before. */
function skipAttributes(text: string, from: number): number | undefined {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === greaterThan) return at + 1;
    if (isSpace(code) || code === slash) {
      at++;
      continue;
    }
    // An attribute's name may begin with any sign, even with `=`.
    do at++;
    while (at < text.length && !endsName(text.charCodeAt(at)));
    const behind = skipSpace(text, at);
    if (text.charCodeAt(behind) !== equals) continue;
    const end = skipValue(text, skipSpace(text, behind + 1));
    if (end === undefined) return undefined;
    at = end;
  }
  return undefined;
}

function endsName(code: number): boolean {
  return isSpace(code) || code === slash || code === greaterThan || code === equals;
}

/** A comment from its `<!--` to behind its end. */
function skipComment(text: string, from: number): number {
  const start = from + 4;
  // `<!-->` and `<!--->` are whole comments already: for the parser.
  if (text.startsWith(">", start) || text.startsWith("->", start)) return from;
  for (let at = text.indexOf("--", start); at !== -1; at = text.indexOf("--", at + 1)) {
    if (text.startsWith(">", at + 2)) return at + 3;
    if (text.startsWith("!>", at + 2)) return at + 4;
  }
  return from;
}

const emptyElement = /<(?:meta|base|link)(?=[\t\n\f\r />])/iy;
const mayBeCanonical = /canonical|&/i;

function skipEmptyElement(text: string, from: number): number {
  emptyElement.lastIndex = from;
  if (!emptyElement.test(text)) return from;
  const end = skipAttributes(text, emptyElement.lastIndex);
  return end === undefined || mayBeCanonical.test(text.slice(from, end)) ? from : end;
}

/** In a head, and in no element in it: white space, whole comments, and tags of elements that are empty and no canonical. */
export function skipInHead(text: string, from: number): number {
  let at = from;
  for (;;) {
    const next = skipSpace(text, at);
    if (text.charCodeAt(next) !== lessThan) return next;
    const behind = text.startsWith("!--", next + 1) ? skipComment(text, next) : skipEmptyElement(text, next);
    if (behind === next) return next;
    at = behind;
  }
}

/** In a script, a style or a title: to the next sign that may end it, or that may change how a script's end is known. */
export function skipRawText(text: string, from: number): number {
  for (let at = text.indexOf("<", from); at !== -1; at = text.indexOf("<", at + 1)) {
    if (text.startsWith("/", at + 1) || text.startsWith("!--", at + 1)) return at;
    // The text may go on with what is missing.
    if (text.length - at < 4 && "<!--".startsWith(text.slice(at))) return at;
  }
  return text.length;
}
