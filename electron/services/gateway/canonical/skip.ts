// Skips what the parser need not see: most of a head does not change the parser's state, and searching a string is
// many times faster than tokenizing it. Each function returns the index to continue at; the given one if it cannot
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

/** Skips an attribute's value, from after its `=`; returns undefined if the text ends first. */
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

/** Skips from after a tag's name to after its `>`; returns undefined if the text ends first. */
function skipAttributes(text: string, from: number): number | undefined {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === greaterThan) return at + 1;
    if (isSpace(code) || code === slash) {
      at++;
      continue;
    }
    // An attribute's name may begin with any character, even `=`.
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

/** Skips a comment from its `<!--`. */
function skipComment(text: string, from: number): number {
  const start = from + 4;
  // `<!-->` and `<!--->` are complete comments; the parser handles them.
  if (text.startsWith(">", start) || text.startsWith("->", start)) return from;
  for (let at = text.indexOf("--", start); at !== -1; at = text.indexOf("--", at + 1)) {
    if (text.startsWith(">", at + 2)) return at + 3;
    if (text.startsWith("!>", at + 2)) return at + 4;
  }
  return from;
}

const headTag = /<(base|link|meta|noframes|noscript|script|style|title)(?=[\t\n\f\r />])/iy;
const mayBeCanonical = /canonical|&/i;
/** End tags of the elements that contain only text. */
const textEnds: Readonly<Record<string, RegExp>> = {
  noframes: /<\/noframes(?=[\t\n\f\r />])/iy,
  noscript: /<\/noscript(?=[\t\n\f\r />])/iy,
  script: /<\/script(?=[\t\n\f\r />])/iy,
  style: /<\/style(?=[\t\n\f\r />])/iy,
  title: /<\/title(?=[\t\n\f\r />])/iy,
};

/** Skips from after the start tag of an element that contains only text to after its end tag. */
function skipText(text: string, from: number, name: string): number | undefined {
  const end = textEnds[name]!;
  for (let at = text.indexOf("</", from); at !== -1; at = text.indexOf("</", at + 2)) {
    end.lastIndex = at;
    if (!end.test(text)) continue;
    // Inside a comment of a script, an end tag may not count.
    if (name === "script" && text.slice(from, at).includes("<!--")) return undefined;
    return skipAttributes(text, end.lastIndex);
  }
  return undefined;
}

/** Skips a common element of the head, unless it may be a canonical link. */
function skipElement(text: string, from: number): number {
  headTag.lastIndex = from;
  const name = headTag.exec(text)?.[1]!.toLowerCase();
  if (name === undefined) return from;
  const behind = skipAttributes(text, headTag.lastIndex);
  if (behind === undefined) return from;
  if (Object.hasOwn(textEnds, name)) return skipText(text, behind, name) ?? from;
  return name === "link" && mayBeCanonical.test(text.slice(from, behind)) ? from : behind;
}

/** Skips white space, comments and elements directly inside the head that are not canonical links. */
export function skipInHead(text: string, from: number): number {
  let at = from;
  for (;;) {
    const next = skipSpace(text, at);
    if (text.charCodeAt(next) !== lessThan) return next;
    const behind = text.startsWith("!--", next + 1) ? skipComment(text, next) : skipElement(text, next);
    if (behind === next) return next;
    at = behind;
  }
}

/**
 * Skips the content of a script, style or title, up to the next character that may end it or change how a script
 * ends.
 */
export function skipRawText(text: string, from: number): number {
  for (let at = text.indexOf("<", from); at !== -1; at = text.indexOf("<", at + 1)) {
    if (text.startsWith("/", at + 1) || text.startsWith("!--", at + 1)) return at;
    // The rest of `<!--` may follow.
    if (text.length - at < 4 && "<!--".startsWith(text.slice(at))) return at;
  }
  return text.length;
}
