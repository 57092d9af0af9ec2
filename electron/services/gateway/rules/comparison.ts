// Comparisons: a field or call, an operator, and a value or a set of values.
import { createAddressSet } from "../../../platform/addresses/address-set.ts";
import type { IpAddress, IpRange } from "../../../platform/addresses/ip-address.ts";
import type { Token } from "./expression-tokens.ts";
import type { Cursor } from "./token-cursor.ts";
import { nameOfType, type Value, type ValueType } from "./expression-fields.ts";
import { createTextSearch } from "./expression-text.ts";
import { findFunction } from "./functions.ts";
import {
  takeAddress,
  takeAddressRange,
  takeBoolean,
  takeInteger,
  takeIntegerRange,
  takeString,
} from "./literals.ts";
import { type Operand, parseOperand } from "./operands.ts";
import type { RequestFields } from "./request-fields.ts";
import { parseWildcard } from "./wildcard.ts";

export type Condition = (fields: RequestFields) => boolean;

type OrderName = "lt" | "le" | "gt" | "ge";
type OperatorName = "eq" | "ne" | OrderName | "contains" | "wildcard" | "strict wildcard" | "in" | "matches";

/** Operators in both spellings. */
const operatorNames: Readonly<Record<string, OperatorName>> = {
  ...{ eq: "eq", "==": "eq", ne: "ne", "!=": "ne" },
  ...{ lt: "lt", "<": "lt", le: "le", "<=": "le", gt: "gt", ">": "gt", ge: "ge", ">=": "ge" },
  ...{ contains: "contains", wildcard: "wildcard", strict: "strict wildcard", in: "in" },
  ...{ matches: "matches", "~": "matches" },
};

const logicalWords = ["and", "or", "xor", "not"];

/** Parses a comparison, or a Boolean without one. @throws ExpressionError */
export function parseComparison(cursor: Cursor): Condition {
  const left = parseOperand(cursor);
  const token = cursor.peek();
  const operator = takeOperator(cursor, left);
  if (operator === undefined) return toCondition(cursor, left);
  if (operator === "matches") return cursor.fail(token, noRegularExpressions);
  const refuse: Refuse = (...types) => {
    const compared = types.map(nameOfType).join(" or ");
    return cursor.fail(
      token,
      `${operator} compares ${compared}, and ${left.name} is ${nameOfType(left.value.type)}.`,
    );
  };
  return compare(cursor, left, operator, refuse);
}

/** Takes the operator; returns undefined if the comparison ends without one. @throws ExpressionError */
function takeOperator(cursor: Cursor, left: Operand): OperatorName | undefined {
  const token = cursor.peek();
  if (token.kind === "string") return cursor.fail(token, "An operator is missing before this value.");
  if (token.kind === "end" || (token.kind === "word" && logicalWords.includes(token.text))) {
    if (token.kind === "end" || token.text !== "not") return undefined;
    return cursor.fail(token, "Write not before the comparison, not inside it.");
  }
  const operator = Object.hasOwn(operatorNames, token.text) ? operatorNames[token.text] : undefined;
  if (operator !== undefined) cursor.take();
  else if (token.kind === "word") cursor.fail(token, whyNoOperator(token, left));
  if (operator === "strict wildcard" && !cursor.takeIf("wildcard")) {
    cursor.fail(cursor.peek(), "strict needs wildcard: write strict wildcard.");
  }
  return operator;
}

function whyNoOperator({ text }: Token & { readonly kind: "word" }, left: Operand): string {
  const lower = text.toLowerCase();
  if (text !== lower && (Object.hasOwn(operatorNames, lower) || logicalWords.includes(lower))) {
    return `Operators are written in lower case: ${lower}.`;
  }
  if (findFunction(text)) return `${text} is a function: write ${text}(${left.name}, …).`;
  return "There is no operator of this name.";
}

/** @throws ExpressionError: the operator needs one of these types on its left side */
type Refuse = (...types: readonly ValueType[]) => never;

function toCondition(cursor: Cursor, { value, span, name }: Operand): Condition {
  if (value.type === "boolean") return value.read;
  const needed = nameOfType("boolean");
  return cursor.fail(span, `${name} is ${nameOfType(value.type)} where ${needed} is needed: compare it.`);
}

function compare(
  cursor: Cursor,
  left: Operand,
  operator: Exclude<OperatorName, "matches">,
  refuse: Refuse,
): Condition {
  const { value, name } = left;
  switch (operator) {
    case "eq":
      return isEqual(cursor, left);
    case "ne":
      return negate(isEqual(cursor, left));
    case "in":
      return value.type === "boolean" ? refuse("string", "integer", "address") : isInSet(cursor, value, name);
    case "contains":
    case "wildcard":
    case "strict wildcard":
      return value.type === "string" ? matchText(cursor, value, name, operator) : refuse("string");
    default:
      return value.type === "integer" ? isOrdered(cursor, value, name, operator) : refuse("integer");
  }
}

const noRegularExpressions =
  "Regular expressions are not available because their time is not bounded; use contains, wildcard, starts_with or ends_with.";

type ValueOf<Type extends ValueType> = Value & { readonly type: Type };

function isEqual(cursor: Cursor, { value, name }: Operand): Condition {
  const other = { name, type: value.type };
  if (value.type === "address") {
    const range = takeAddress(cursor, other);
    return isAmong(value.read, [range]);
  }
  const right =
    value.type === "string"
      ? takeString(cursor, other)
      : value.type === "integer"
        ? takeInteger(cursor, other)
        : takeBoolean(cursor, other);
  return (fields) => value.read(fields) === right;
}

const orders: Readonly<Record<OrderName, (left: number, right: number) => boolean>> = {
  lt: (left, right) => left < right,
  le: (left, right) => left <= right,
  gt: (left, right) => left > right,
  ge: (left, right) => left >= right,
};

function isOrdered(cursor: Cursor, value: ValueOf<"integer">, name: string, operator: OrderName): Condition {
  const right = takeInteger(cursor, { name, type: "integer" });
  const holds = orders[operator];
  return (fields) => holds(value.read(fields), right);
}

function matchText(
  cursor: Cursor,
  value: ValueOf<"string">,
  name: string,
  operator: "contains" | "wildcard" | "strict wildcard",
): Condition {
  const token = cursor.peek();
  const right = takeString(cursor, { name, type: "string" });
  if (operator === "contains") {
    const search = createTextSearch(right);
    return (fields) => search(value.read(fields), 0) !== -1;
  }
  const pattern = parseWildcard(right, { strict: operator === "strict wildcard" });
  if (!pattern.ok) return cursor.fail(token, pattern.problem);
  return (fields) => pattern.matches(value.read(fields));
}

function isInSet(cursor: Cursor, value: Exclude<Value, ValueOf<"boolean">>, name: string): Condition {
  const other = { name, type: value.type };
  if (value.type === "string") {
    const members = new Set(takeSet(cursor, () => takeString(cursor, other)));
    return (fields) => members.has(value.read(fields));
  }
  if (value.type === "integer") {
    const ranges = takeSet(cursor, () => takeIntegerRange(cursor, other));
    return (fields) => {
      const number = value.read(fields);
      return ranges.some(({ first, last }) => first <= number && number <= last);
    };
  }
  const ranges = takeSet(cursor, () => takeAddressRange(cursor, other));
  return isAmong(value.read, ranges);
}

/** Takes a set: `{`, members separated by blanks, `}`. @throws ExpressionError */
function takeSet<Member>(cursor: Cursor, takeMember: () => Member): Member[] {
  const opening = cursor.expect("{", "A set in braces is needed here: {…}.");
  const members: Member[] = [];
  while (!cursor.takeIf("}")) {
    const token = cursor.peek();
    if (token.kind === "symbol" && token.text === ",") {
      cursor.fail(token, "The members of a set are separated by blanks, not by commas.");
    }
    if (token.kind === "end") cursor.fail(token, "The brace of this set is not closed.");
    members.push(takeMember());
  }
  if (members.length === 0) cursor.fail(opening, "A set needs at least one member.");
  return members;
}

function isAmong(
  read: (fields: RequestFields) => IpAddress | undefined,
  ranges: readonly IpRange[],
): Condition {
  const set = createAddressSet(ranges);
  return (fields) => {
    const address = read(fields);
    return address !== undefined && set.has(address);
  };
}

function negate(condition: Condition): Condition {
  return (fields) => !condition(fields);
}
