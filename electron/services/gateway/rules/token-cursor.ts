// The parser's position in an expression, and how it reports faults.
import { ruleLimits } from "../gateway-limits.ts";
import { ExpressionError, type Span } from "./expression-error.ts";
import { type Token, toTokens } from "./expression-tokens.ts";

export interface Cursor {
  readonly tokens: readonly Token[];
  readonly peek: () => Token;
  readonly take: () => Token;
  /** Takes the next token if it is one of these words or symbols. */
  readonly takeIf: (...texts: readonly string[]) => Token | undefined;
  /** @throws ExpressionError `problem` at the next token, unless it is this symbol */
  readonly expect: (symbol: string, problem: string) => Token;
  /** Runs `parse` one level deeper. @throws ExpressionError at `opening` beyond `ruleLimits.depth` */
  readonly nest: <Result>(opening: Span, parse: () => Result) => Result;
  readonly sourceOf: (span: Span) => string;
  /** @throws ExpressionError always */
  readonly fail: (span: Span, problem: string) => never;
}

/** @throws ExpressionError for a character that begins no token */
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
      if (depth > ruleLimits.depth)
        fail(opening, `This is nested more than ${ruleLimits.depth} levels deep.`);
      const result = parse();
      depth -= 1;
      return result;
    },
    sourceOf: (span) => text.slice(span.start, span.end),
    fail,
  };
}

/** True for a word or symbol of that text. A string with the same text does not count. */
function isOneOf(token: Token, texts: readonly string[]): boolean {
  return (token.kind === "word" || token.kind === "symbol") && texts.includes(token.text);
}
