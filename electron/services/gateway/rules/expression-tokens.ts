// Splits an expression into words (names, operators, numbers, addresses), strings and symbols. The parser gives words
// their meaning.
import { ruleLimits } from "../gateway-limits.ts";
import { ExpressionError, type Span } from "./expression-error.ts";

export type Token = Span &
  (
    | { readonly kind: "word"; readonly text: string }
    | { readonly kind: "string"; readonly value: string }
    | { readonly kind: "symbol"; readonly text: string }
    | { readonly kind: "end" }
  );

/** Longest first. */
const symbols = ["==", "!=", "<=", ">=", "&&", "||", "^^", "<", ">", "!", "~", "(", ")", "{", "}", ","];

/** Incomplete symbols, and what was meant. */
const halfSymbols: Readonly<Record<string, string>> = { "=": "==", "&": "&&", "|": "||", "^": "^^" };

const wordPattern = /[A-Za-z0-9_.:/-]+/y;
const blankPattern = /[ \t\r\n]+/y;

/** Returns the tokens; the last one is always `end`, right after the one before. @throws ExpressionError */
export function toTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let at = skipBlanks(text, 0);
  while (at < text.length) {
    const token = readToken(text, at);
    tokens.push(token);
    at = skipBlanks(text, token.end);
  }
  const end = tokens.at(-1)?.end ?? 0;
  return [...tokens, { kind: "end", start: end, end }];
}

function readToken(text: string, start: number): Token {
  if (text[start] === '"') return { kind: "string", start, ...readQuotedString(text, start) };
  if (startsRawString(text, start)) return { kind: "string", start, ...readRawString(text, start) };
  const symbol = symbols.find((candidate) => text.startsWith(candidate, start));
  if (symbol !== undefined) return { kind: "symbol", text: symbol, start, end: start + symbol.length };
  wordPattern.lastIndex = start;
  const word = wordPattern.exec(text)?.[0];
  if (word !== undefined) return { kind: "word", text: word, start, end: start + word.length };
  throw new ExpressionError(text, { start, end: start + 1 }, whatIsWrongWith(text.charAt(start)));
}

function whatIsWrongWith(char: string): string {
  const meant = halfSymbols[char];
  if (meant !== undefined) return `"${char}" has no meaning here; write ${meant}.`;
  if (char === "'") return 'Write strings in double quotes: "…".';
  if (char === "$") return "Named lists are not available here.";
  return "This character has no meaning outside a string.";
}

function skipBlanks(text: string, at: number): number {
  blankPattern.lastIndex = at;
  return at + (blankPattern.exec(text)?.[0].length ?? 0);
}

interface StringLiteral {
  readonly value: string;
  /** Offset after the closing quote. */
  readonly end: number;
}

const escapePattern = /\\(?:(["\\])|x([0-9A-Fa-f]{2})|([0-3][0-7]{2}))/y;
const unknownEscape = String.raw`Unknown escape; use \", \\, \xHH or three octal digits.`;

/**
 * Reads a quoted string with `\"`, `\\`, `\xHH` and `\OOO` (octal), which are U+0000 to U+00FF.
 * @throws ExpressionError
 */
function readQuotedString(text: string, start: number): StringLiteral {
  let value = "";
  let at = start + 1;
  while (at < text.length) {
    const next = nextSpecial(text, at);
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

function codeOf([, , hexadecimal, octal]: RegExpExecArray): number {
  return hexadecimal === undefined ? Number.parseInt(octal ?? "0", 8) : Number.parseInt(hexadecimal, 16);
}

/** Returns the offset of the next quote or backslash, or the text's length without one. */
function nextSpecial(text: string, from: number): number {
  const special = /["\\]/g;
  special.lastIndex = from;
  return special.exec(text)?.index ?? text.length;
}

/** True at `r"` or `r#`, which no word contains. */
function startsRawString(text: string, at: number): boolean {
  return text[at] === "r" && (text[at + 1] === '"' || text[at + 1] === "#");
}

/** Reads `r"…"`, `r#"…"#` and so on, in which every character stands for itself. @throws ExpressionError */
function readRawString(text: string, start: number): StringLiteral {
  const hashes = /^#*/.exec(text.slice(start + 1))?.[0] ?? "";
  const open = start + 1 + hashes.length;
  const opening = { start, end: open + 1 };
  if (hashes.length > ruleLimits.rawStringHashes) {
    throw new ExpressionError(
      text,
      opening,
      `A raw string may have at most ${ruleLimits.rawStringHashes} "#".`,
    );
  }
  if (text[open] !== '"') throw new ExpressionError(text, opening, 'A raw string begins with r" or r#".');
  const closing = `"${hashes}`;
  const close = text.indexOf(closing, open + 1);
  if (close === -1) throw new ExpressionError(text, opening, `This raw string is not closed by ${closing}.`);
  return { value: text.slice(open + 1, close), end: close + closing.length };
}
