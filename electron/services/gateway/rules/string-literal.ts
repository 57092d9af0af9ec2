// The two forms of a string: quoted, with escapes, and raw, where every character stands for itself.
import { ExpressionError } from "./expression-error.ts";

interface StringLiteral {
  readonly value: string;
  /** Offset behind the closing quote. */
  readonly end: number;
}

const maxHashes = 255;
const escapePattern = /\\(?:(["\\])|x([0-9A-Fa-f]{2})|([0-3][0-7]{2}))/y;

/** `\"`, `\\`, `\xHH` and `\OOO` (octal), the numbers being those of U+0000 to U+00FF. @throws ExpressionError */
export function readQuotedString(text: string, start: number): StringLiteral {
  let value = "";
  let at = start + 1;
  while (at < text.length) {
    const next = nextOf(text, at);
    value += text.slice(at, next);
    if (text[next] === '"') return { value, end: next + 1 };
    if (next === text.length) break;
    escapePattern.lastIndex = next;
    const match = escapePattern.exec(text);
    if (!match) throw new ExpressionError(text, { start: next, end: next + 2 }, unknownEscape);
    value += match[1] ?? String.fromCharCode(codeOf(match));
    at = next + match[0].length;
  }
  throw new ExpressionError(text, { start, end: start + 1 }, "This string has no closing quote.");
}

const unknownEscape = String.raw`Unknown escape; \", \\, \xHH and three octal digits are known.`;

function codeOf([, , hexadecimal, octal]: RegExpExecArray): number {
  return hexadecimal === undefined ? Number.parseInt(octal ?? "0", 8) : Number.parseInt(hexadecimal, 16);
}

/** Of the next quote or backslash; the text's length where there is none. */
function nextOf(text: string, from: number): number {
  const special = /["\\]/g;
  special.lastIndex = from;
  return special.exec(text)?.index ?? text.length;
}

/** `r"` or `r#`: no word goes on with either. */
export function startsRawString(text: string, at: number): boolean {
  return text[at] === "r" && (text[at + 1] === '"' || text[at + 1] === "#");
}

/** `r"…"`, `r#"…"#`, with as many hashes as it takes. @throws ExpressionError */
export function readRawString(text: string, start: number): StringLiteral {
  const hashes = /^#*/.exec(text.slice(start + 1))?.[0] ?? "";
  const open = start + 1 + hashes.length;
  const opening = { start, end: open + 1 };
  if (hashes.length > maxHashes) {
    throw new ExpressionError(text, opening, `A raw string takes at most ${maxHashes} "#".`);
  }
  if (text[open] !== '"') throw new ExpressionError(text, opening, 'A raw string begins r"…" or r#"…"#.');
  const closing = `"${hashes}`;
  const close = text.indexOf(closing, open + 1);
  if (close === -1) throw new ExpressionError(text, opening, `This raw string is not closed by ${closing}.`);
  return { value: text.slice(open + 1, close), end: close + closing.length };
}
