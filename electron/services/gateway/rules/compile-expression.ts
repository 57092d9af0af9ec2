// Turns the text of an expression into a function of the request: `not` binds closest, then `and`, `xor`, `or`.
import { type Condition, parseComparison } from "./comparison.ts";
import { createCursor, type Cursor } from "./token-cursor.ts";
import { ExpressionError } from "./expression-error.ts";
import { isAboutBots } from "./expression-fields.ts";
import type { CompiledExpression } from "./rule.ts";
import type { Token } from "./expression-tokens.ts";

export const maxExpressionChars = 4_096;

/** @throws ExpressionError */
export function compileExpression(text: string): CompiledExpression {
  if (text.length > maxExpressionChars) {
    const beyond = { start: maxExpressionChars, end: maxExpressionChars + 1 };
    throw new ExpressionError(text, beyond, "An expression holds at most 4,096 characters.");
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

/** The loosest first. Operands are asked from the left, and no more of them than it takes. */
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
  if (token.kind === "symbol" && token.text === ")") return "This parenthesis closes none.";
  if (token.kind === "word" && /^(?:and|or|xor)$/i.test(token.text)) {
    return `Operators are written in lower case: ${token.text.toLowerCase()}.`;
  }
  return "The expression goes on after its end: and, or or xor is missing.";
}
