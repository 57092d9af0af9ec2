// Where the parser stands in an expression, and how it complains.
import { ExpressionError, type Span } from "./expression-error.ts";
import { type Token, toTokens } from "./expression-tokens.ts";

/** Parentheses, negations and calls within each other. */
export const maxDepth = 32;

export interface Cursor {
  readonly tokens: readonly Token[];
  readonly peek: () => Token;
  readonly take: () => Token;
  /** Takes the next token if it is one of these words or symbols. */
  readonly takeIf: (...texts: readonly string[]) => Token | undefined;
  /** @throws ExpressionError `problem` at the next token, unless it is this symbol */
  readonly expect: (symbol: string, problem: string) => Token;
  /** Runs `parse` one level deeper. @throws ExpressionError beyond `maxDepth`, at `opening` */
  readonly nest: <Result>(opening: Span, parse: () => Result) => Result;
  readonly sourceOf: (span: Span) => string;
  /** @throws ExpressionError always */
  readonly fail: (span: Span, problem: string) => never;
}

/** @throws ExpressionError for what is no token */
export function createCursor(text: string): Cursor {
  const tokens = toTokens(text);
  const end: Token = { kind: "end", start: text.length, end: text.length };
  let at = 0;
  let depth = 0;
  const tokenAt = (index: number): Token => tokens[index] ?? tokens.at(-1) ?? end;
  const fail = (span: Span, problem: string): never => {
    throw new ExpressionError(text, span, problem);
  };
  const take = (): Token => {
    const token = tokenAt(at);
    at += 1;
    return token;
  };
  const takeIf = (...texts: readonly string[]): Token | undefined =>
    isOneOf(tokenAt(at), texts) ? take() : undefined;
  return {
    tokens,
    peek: () => tokenAt(at),
    take,
    takeIf,
    expect: (symbol, problem) => takeIf(symbol) ?? fail(tokenAt(at), problem),
    nest: (opening, parse) => {
      depth += 1;
      if (depth > maxDepth) fail(opening, `This is nested more than ${maxDepth} levels deep.`);
      const result = parse();
      depth -= 1;
      return result;
    },
    sourceOf: (span) => text.slice(span.start, span.end),
    fail,
  };
}

/** A string that reads like a word is none. */
export function isOneOf(token: Token, texts: readonly string[]): boolean {
  return (token.kind === "word" || token.kind === "symbol") && texts.includes(token.text);
}
