// The comparison operators in both spellings, and what is said where one is missing or misspelt.
import type { Cursor } from "./token-cursor.ts";
import { findFunction } from "./functions.ts";
import type { Operand } from "./operands.ts";
import type { Token } from "./expression-tokens.ts";

export type OperatorName =
  "eq" | "ne" | OrderName | "contains" | "wildcard" | "strict wildcard" | "in" | "matches";
export type OrderName = "lt" | "le" | "gt" | "ge";

const operatorNames: Readonly<Record<string, OperatorName>> = {
  ...{ eq: "eq", "==": "eq", ne: "ne", "!=": "ne" },
  ...{ lt: "lt", "<": "lt", le: "le", "<=": "le", gt: "gt", ">": "gt", ge: "ge", ">=": "ge" },
  ...{ contains: "contains", wildcard: "wildcard", strict: "strict wildcard", in: "in" },
  ...{ matches: "matches", "~": "matches" },
};

const logicalWords = ["and", "or", "xor", "not"];

/** Undefined where the comparison ends without one. @throws ExpressionError */
export function takeOperator(cursor: Cursor, left: Operand): OperatorName | undefined {
  const token = cursor.peek();
  if (token.kind === "string") return cursor.fail(token, "An operator is missing in front of this value.");
  if (token.kind === "end" || (token.kind === "word" && logicalWords.includes(token.text))) {
    return token.kind === "word" && token.text === "not" ? cursor.fail(token, notInFront) : undefined;
  }
  const operator = Object.hasOwn(operatorNames, token.text) ? operatorNames[token.text] : undefined;
  if (operator !== undefined) cursor.take();
  else if (token.kind === "word") cursor.fail(token, whyNoOperator(token, left));
  if (operator === "strict wildcard" && !cursor.takeIf("wildcard")) {
    cursor.fail(cursor.peek(), "strict goes with wildcard: strict wildcard.");
  }
  return operator;
}

const notInFront = "not stands in front of a comparison, not within it.";

function whyNoOperator({ text }: Token & { readonly kind: "word" }, left: Operand): string {
  const lower = text.toLowerCase();
  if (text !== lower && (Object.hasOwn(operatorNames, lower) || logicalWords.includes(lower))) {
    return `Operators are written in lower case: ${lower}.`;
  }
  if (findFunction(text)) return `${text} is a function: write ${text}(${left.name}, …).`;
  return "There is no operator of this name.";
}
