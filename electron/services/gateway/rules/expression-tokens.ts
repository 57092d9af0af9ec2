// Cuts an expression into words (names, operators, numbers, addresses), strings and symbols. What a word means is the parser's business.
import { ExpressionError, type Span } from "./expression-error.ts";
import { readQuotedString, readRawString, startsRawString } from "./string-literal.ts";

export type Token = Span &
  (
    | { readonly kind: "word"; readonly text: string }
    | { readonly kind: "string"; readonly value: string }
    | { readonly kind: "symbol"; readonly text: string }
    | { readonly kind: "end" }
  );

/** Longest first. */
const symbols = ["==", "!=", "<=", ">=", "&&", "||", "^^", "<", ">", "!", "~", "(", ")", "{", "}", ","];

/** Characters that stand alone by mistake, and what was meant. */
const halfSymbols: Readonly<Record<string, string>> = { "=": "==", "&": "&&", "|": "||", "^": "^^" };

const wordPattern = /[A-Za-z0-9_.:/-]+/y;
const blankPattern = /[ \t\r\n]+/y;

/** The last token is always the `end`, right behind the one before. @throws ExpressionError */
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
  if (meant !== undefined) return `"${char}" alone means nothing here; write ${meant}.`;
  if (char === "'") return 'Strings stand in double quotes: "…".';
  if (char === "$") return "Named lists are not available here.";
  return "This character has no meaning outside of a string.";
}

function skipBlanks(text: string, at: number): number {
  blankPattern.lastIndex = at;
  return at + (blankPattern.exec(text)?.[0].length ?? 0);
}
