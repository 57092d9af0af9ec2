// Compiles an expression to a function of the request. Precedence: `not`, `and`, `xor`, `or`.
import { ruleLimits } from "../gateway-limits.ts";
import { type Condition, parseComparison } from "./comparison.ts";
import { createCursor, type Cursor } from "./token-cursor.ts";
import { ExpressionError } from "./expression-error.ts";
import { isAboutBots } from "./expression-fields.ts";
import type { Token } from "./expression-tokens.ts";
import type { RequestFields } from "./request-fields.ts";

/** An expression, compiled once and evaluated for each request. */
export interface CompiledExpression {
  /** Source text. */
  readonly text: string;
  /** True if it needs the visitor's verdict, which must be known before `matches`. */
  readonly asksForBots: boolean;
  /** Never throws, and takes time linear in the fields. */
  readonly matches: (fields: RequestFields) => boolean;
}

/** @throws ExpressionError */
export function compileExpression(text: string): CompiledExpression {
  const most = ruleLimits.expressionChars;
  if (text.length > most) {
    throw new ExpressionError(
      text,
      { start: most, end: most + 1 },
      "An expression may have at most 4,096 characters.",
    );
  }
  const cursor = createCursor(text);
  if (cursor.peek().kind === "end") cursor.fail(cursor.peek(), "The expression is empty.");
  const matches = parseJoined(cursor, joints);
  if (cursor.peek().kind !== "end") cursor.fail(cursor.peek(), whyNotOver(cursor.peek()));
  const asksForBots = cursor.tokens.some((token) => token.kind === "word" && isAboutBots(token.text));
  return { text, asksForBots, matches };
}

interface Joint {
  readonly spellings: readonly string[];
  readonly join: (conditions: readonly Condition[]) => Condition;
}

/** From the loosest to the tightest. Operands are evaluated from the left, and only as many as needed. */
const joints: readonly Joint[] = [
  { spellings: ["or", "||"], join: (parts) => (fields) => parts.some((part) => part(fields)) },
  {
    spellings: ["xor", "^^"],
    join: (parts) => (fields) => parts.filter((part) => part(fields)).length % 2 === 1,
  },
  { spellings: ["and", "&&"], join: (parts) => (fields) => parts.every((part) => part(fields)) },
];

function parseJoined(cursor: Cursor, [joint, ...tighter]: readonly Joint[]): Condition {
  if (!joint) return parseNegated(cursor);
  const parts = [parseJoined(cursor, tighter)];
  while (cursor.takeIf(...joint.spellings)) parts.push(parseJoined(cursor, tighter));
  return parts.length === 1 && parts[0] ? parts[0] : joint.join(parts);
}

function parseNegated(cursor: Cursor): Condition {
  const negation = cursor.takeIf("not", "!");
  if (!negation) return parseGroup(cursor);
  const negated = cursor.nest(negation, () => parseNegated(cursor));
  return (fields) => !negated(fields);
}

function parseGroup(cursor: Cursor): Condition {
  const opening = cursor.takeIf("(");
  if (!opening) return parseComparison(cursor);
  return cursor.nest(opening, () => {
    const grouped = parseJoined(cursor, joints);
    const after = cursor.peek();
    if (!cursor.takeIf(")"))
      cursor.fail(after.kind === "end" ? opening : after, "The parenthesis is not closed.");
    return grouped;
  });
}

function whyNotOver(token: Token): string {
  if (token.kind === "symbol" && token.text === ")") return "This parenthesis was never opened.";
  if (token.kind === "word" && /^(?:and|or|xor)$/i.test(token.text)) {
    return `Operators are written in lower case: ${token.text.toLowerCase()}.`;
  }
  return "An operator is missing here: and, or or xor.";
}
