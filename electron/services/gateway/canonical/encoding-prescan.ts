// The encoding that a page's first bytes declare: by a byte order mark, a `meta` element or an XML declaration. The HTML
// standard's "prescan a byte stream to determine its encoding" (13.2.3.2).
import { findEncoding } from "./encoding-label.ts";

/** So many bytes are looked at. */
export const prescanBytes = 1024;

/** The encoding and the mark's length in bytes. */
export function findByteOrderMark(bytes: Uint8Array): { encoding: string; byteLength: number } | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: "utf-8", byteLength: 3 };
  if (first === 0xfe && second === 0xff) return { encoding: "utf-16be", byteLength: 2 };
  if (first === 0xff && second === 0xfe) return { encoding: "utf-16le", byteLength: 2 };
  return undefined;
}

interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly end: number;
}

const space = "[\\t\\n\\f\\r ]*";
/** Each is matched where it is set to begin. The value's three forms are a group each, as are open quotes. */
const beforeAttribute = /[\t\n\f\r /]*/y;
const attributeName = /[^>/\t\n\f\r ][^=>/\t\n\f\r ]*/y;
const attributeEquals = new RegExp(`${space}=${space}`, "y");
const attributeValue = /"([^"]*)"|'([^']*)'|(?!["'])([^>\t\n\f\r ]*)/y;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * The attribute at a place of a tag; undefined at the tag's `>`.
 * @throws RangeError where the text ends within the tag.
 */
function readAttribute(text: string, from: number): Attribute | undefined {
  let at = from + matchAt(beforeAttribute, text, from)![0].length;
  if (text[at] === ">") return undefined;
  const name = matchAt(attributeName, text, at)?.[0] ?? "";
  at += name.length;
  const equals = matchAt(attributeEquals, text, at)?.[0];
  let value = "";
  if (equals !== undefined) {
    at += equals.length;
    const match = matchAt(attributeValue, text, at);
    if (!match) throw new RangeError("An attribute's value does not end.");
    value = match[1] ?? match[2] ?? match[3]!;
    at += match[0].length;
  }
  if (at >= text.length) throw new RangeError("A tag does not end.");
  return { name: name.toLowerCase(), value: value.toLowerCase(), end: at };
}

/** The `charset=` of a `content` attribute. */
function findCharset(content: string): string | undefined {
  const match = /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|(?=["'])|([^;\t\n\f\r ]*))/i.exec(
    content,
  );
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

/** What the attributes of a `meta` say; undefined where they do not say it, or name no encoding. */
function encodingOfMeta(attributes: ReadonlyMap<string, string>): string | undefined {
  const own = attributes.get("charset");
  if (own !== undefined) return findEncoding(own);
  if (attributes.get("http-equiv") !== "content-type") return undefined;
  const label = findCharset(attributes.get("content") ?? "");
  return label === undefined ? undefined : findEncoding(label);
}

/** A declaration that could be read at all was not read as UTF-16, nor as an encoding that has no letters of its own. */
function readable(encoding: string | undefined): string | undefined {
  if (encoding === "utf-16le" || encoding === "utf-16be") return "utf-8";
  return encoding === "x-user-defined" ? "windows-1252" : encoding;
}

function readTag(text: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  let at = from;
  for (let next = readAttribute(text, at); next; next = readAttribute(text, at)) {
    // The first of one name counts.
    if (!attributes.has(next.name)) attributes.set(next.name, next.value);
    at = next.end;
  }
  return { attributes, end: text.indexOf(">", at) };
}

/** Behind the next `sought`, whose beginning may overlap what is at `from`. */
function behind(text: string, sought: string, from: number): number {
  const at = text.indexOf(sought, from);
  if (at === -1) throw new RangeError("What was begun does not end.");
  return at + sought.length;
}

const metaTag = /<meta(?=[\t\n\f\r /])/iy;
const anyTag = /<\/?[a-z][^>\t\n\f\r ]*/iy;
const declaration = /<[!/?]/y;

function findMeta(text: string): string | undefined {
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at)) {
    const meta = matchAt(metaTag, text, at);
    const tag = meta ?? matchAt(anyTag, text, at);
    if (text.startsWith("<!--", at)) at = behind(text, "-->", at + 2);
    else if (tag) {
      const { attributes, end } = readTag(text, at + tag[0].length);
      const encoding = meta ? readable(encodingOfMeta(attributes)) : undefined;
      if (encoding !== undefined) return encoding;
      at = end;
    } else if (matchAt(declaration, text, at)) at = behind(text, ">", at);
    else at += 1;
  }
  return undefined;
}

/** Of `<?xml version="1.0" encoding="…"?>`. */
function findXmlEncoding(text: string): string | undefined {
  if (!text.startsWith("<?xml")) return undefined;
  const head = text.slice(0, text.indexOf(">") + 1);
  // The first `encoding` counts, whatever follows it.
  const match = /encoding(?:[\0- ]*=[\0- ]*(?:"([^"\0- ]*)"|'([^'\0- ]*)')|)/.exec(head);
  const label = match?.[1] ?? match?.[2];
  return label === undefined ? undefined : readable(findEncoding(label));
}

/**
 * What the first bytes declare; of a part of them, undefined as long as it cannot be said.
 * @param isWhole No more of them come, or as many are there as are looked at.
 */
export function prescanEncoding(
  bytes: Uint8Array,
  { isWhole }: { readonly isWhole: boolean },
): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, prescanBytes)).toString(
    "latin1",
  );
  if (text.startsWith("<\0?\0x\0")) return "utf-16le";
  if (text.startsWith("\0<\0?\0x")) return "utf-16be";
  try {
    const encoding = findMeta(text);
    if (encoding !== undefined) return encoding;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return isWhole ? findXmlEncoding(text) : undefined;
}
