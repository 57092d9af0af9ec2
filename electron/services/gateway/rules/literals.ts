// Literals of an expression, and the messages for a literal of another type.
import type { IpRange } from "../../../platform/addresses/ip-address.ts";
import { parseAddress, parseAddressRange } from "./address-ranges.ts";
import { nameOfType, type ValueType } from "./expression-fields.ts";
import type { Token } from "./expression-tokens.ts";
import type { Cursor } from "./token-cursor.ts";

export interface IntegerRange {
  readonly first: number;
  readonly last: number;
}

/** The other side of a comparison, for messages: `http.host` and its type. */
export interface Counterpart {
  readonly name: string;
  readonly type: ValueType;
}

/** @throws ExpressionError */
export function takeString(cursor: Cursor, other: Counterpart): string {
  const token = cursor.take();
  return token.kind === "string" ? token.value : refuse(cursor, token, other);
}

/** @throws ExpressionError */
export function takeBoolean(cursor: Cursor, other: Counterpart): boolean {
  const token = cursor.take();
  if (token.kind === "word" && (token.text === "true" || token.text === "false"))
    return token.text === "true";
  return refuse(cursor, token, other);
}

/** Takes one integer. @throws ExpressionError */
export function takeInteger(cursor: Cursor, other: Counterpart): number {
  const { first, last, token } = takeIntegerRange(cursor, other);
  return first === last && !token.text.includes("..") ? first : cursor.fail(token, rangeOutsideOfSet);
}

/** Takes one integer, or `FIRST..LAST`. @throws ExpressionError */
export function takeIntegerRange(
  cursor: Cursor,
  other: Counterpart,
): IntegerRange & { readonly token: Token & { readonly kind: "word" } } {
  const token = cursor.take();
  if (token.kind !== "word" || !integersPattern.test(token.text)) return refuse(cursor, token, other);
  const [first = Number.NaN, last = first] = token.text.split("..").map(Number);
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last)) {
    return cursor.fail(token, "Integers lie between -9007199254740991 and 9007199254740991.");
  }
  if (first > last) return cursor.fail(token, "A range begins with its lower end.");
  return { first, last, token };
}

/** Takes one address, a CIDR block, or `FIRST..LAST`. @throws ExpressionError */
export function takeAddressRange(cursor: Cursor, other: Counterpart): IpRange {
  const token = cursor.take();
  const range = token.kind === "word" ? parseAddressRange(token.text) : undefined;
  if (range) return range;
  if (token.kind === "word" && token.text.split("..").some((part) => parseAddress(part) !== undefined)) {
    return cursor.fail(token, "A range needs two addresses of one family, the lower one first.");
  }
  return refuse(cursor, token, other);
}

/** Takes one address. @throws ExpressionError */
export function takeAddress(cursor: Cursor, other: Counterpart): IpRange {
  const token = cursor.peek();
  const range = takeAddressRange(cursor, other);
  return token.kind === "word" && parseAddress(token.text) ? range : cursor.fail(token, rangeOutsideOfSet);
}

const integersPattern = /^-?(?:0|[1-9]\d*)(?:\.\.-?(?:0|[1-9]\d*))?$/;
const rangeOutsideOfSet = "Ranges and blocks are allowed only in a set: write in {…}.";

function refuse(cursor: Cursor, token: Token, { name, type }: Counterpart): never {
  const wanted = nameOfType(type);
  if (token.kind === "end") return cursor.fail(token, `The expression ends where ${wanted} is needed.`);
  const source = shorten(cursor.sourceOf(token));
  const found = typeOfToken(token);
  if (found !== undefined && found !== type) {
    return cursor.fail(token, `${name} is ${wanted}, and ${source} is ${nameOfType(found)}.`);
  }
  return cursor.fail(token, `${name} is ${wanted}, and ${source} is not a value of that type.`);
}

/** Returns the type of a literal; undefined if the token is not a literal. */
export function typeOfToken(token: Token): ValueType | undefined {
  if (token.kind === "string") return "string";
  if (token.kind !== "word") return undefined;
  if (token.text === "true" || token.text === "false") return "boolean";
  if (integersPattern.test(token.text)) return "integer";
  return parseAddressRange(token.text) ? "address" : undefined;
}

const quotedChars = 40;

function shorten(source: string): string {
  return source.length > quotedChars ? `${source.slice(0, quotedChars)}…` : source;
}
