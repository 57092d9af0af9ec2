// Operands: the left side of a comparison and the arguments of functions, which are fields, calls and literals.
import type { Cursor } from "./token-cursor.ts";
import type { Span } from "./expression-error.ts";
import { findField, nameOfType, type Value } from "./expression-fields.ts";
import { findFunction, type LanguageFunction } from "./functions.ts";
import { takeInteger, typeOfToken } from "./literals.ts";
import type { Token } from "./expression-tokens.ts";

export interface Operand {
  readonly value: Value;
  readonly span: Span;
  /** Name in messages: `http.host`, `lower(…)`. */
  readonly name: string;
}

type Word = Token & { readonly kind: "word" };

/** Parses a field, a call, `true` or `false`. @throws ExpressionError */
export function parseOperand(cursor: Cursor): Operand {
  const token = cursor.take();
  if (token.kind === "end") return cursor.fail(token, "The expression ends where a field is needed.");
  if (token.kind !== "word" || isComparedLiteral(token)) {
    return cursor.fail(token, "A comparison begins with a field or a function.");
  }
  if (token.text === "true" || token.text === "false") {
    const constant = token.text === "true";
    return { value: { type: "boolean", read: () => constant }, span: token, name: token.text };
  }
  const next = cursor.peek();
  return next.kind === "symbol" && next.text === "(" ? parseCall(cursor, token) : toField(cursor, token);
}

function isComparedLiteral(token: Token): boolean {
  const type = typeOfToken(token);
  return type !== undefined && type !== "boolean";
}

function toField(cursor: Cursor, token: Word): Operand {
  const value = findField(token.text);
  if (value) return { value, span: token, name: token.text };
  if (findFunction(token.text))
    return cursor.fail(token, `${token.text} is a function: its arguments follow in parentheses.`);
  if (findField(token.text.toLowerCase()))
    return cursor.fail(token, `Fields are written in lower case: ${token.text.toLowerCase()}.`);
  return cursor.fail(token, "There is no field of this name.");
}

function parseCall(cursor: Cursor, name: Word): Operand {
  const called = findFunction(name.text) ?? cursor.fail(name, whyNoFunction(name.text));
  return cursor.nest(name, () => {
    cursor.expect("(", "Arguments follow in parentheses.");
    const args: Value[] = [];
    while (!cursor.takeIf(")")) {
      if (args.length > 0) cursor.expect(",", "A comma or a closing parenthesis is missing here.");
      args.push(parseArgument(cursor, name, called, args.length));
    }
    if (args.length < called.parameters.length) {
      cursor.fail(name, `${name.text} takes ${countOf(called)}; ${args.length} given.`);
    }
    return { value: called.build(args), span: name, name: `${name.text}(…)` };
  });
}

function parseArgument(cursor: Cursor, name: Word, called: LanguageFunction, index: number): Value {
  const start = cursor.peek();
  const types = called.parameters[index] ?? (called.repeatsLast ? called.parameters.at(-1) : undefined);
  if (!types) return cursor.fail(start, `${name.text} takes ${countOf(called)}.`);
  const value = parseArgumentValue(cursor);
  if (types.includes(value.type)) return value;
  const wanted = types.map(nameOfType).join(" or ");
  return cursor.fail(start, `${name.text} takes ${wanted} here, and this is ${nameOfType(value.type)}.`);
}

function parseArgumentValue(cursor: Cursor): Value {
  const token = cursor.peek();
  if (token.kind === "string") {
    cursor.take();
    const constant = token.value;
    return { type: "string", read: () => constant };
  }
  if (typeOfToken(token) === "integer") {
    const constant = takeInteger(cursor, { name: "The argument", type: "integer" });
    return { type: "integer", read: () => constant };
  }
  if (token.kind === "symbol" || token.kind === "end")
    return cursor.fail(token, "An argument is missing here.");
  return parseOperand(cursor).value;
}

function countOf({ parameters, repeatsLast }: LanguageFunction): string {
  const count = parameters.length;
  return `${repeatsLast ? "at least " : ""}${count} ${count === 1 ? "argument" : "arguments"}`;
}

function whyNoFunction(name: string): string {
  const lower = name.toLowerCase();
  if (findFunction(lower)) return `Functions are written in lower case: ${lower}.`;
  return findField(name)
    ? `${name} is a field and takes no arguments.`
    : "There is no function of this name.";
}
