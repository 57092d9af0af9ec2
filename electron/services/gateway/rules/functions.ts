// The functions of the language. Arguments are checked when a call is compiled; no function throws.
import type { Value, ValueType } from "./expression-fields.ts";
import { toAsciiLower, toAsciiUpper } from "./expression-text.ts";
import type { RequestFields } from "./request-fields.ts";

export interface LanguageFunction {
  /** Types that each argument may have. */
  readonly parameters: readonly (readonly ValueType[])[];
  /** True if more arguments like the last one may follow. */
  readonly repeatsLast: boolean;
  readonly build: (args: readonly Value[]) => Value;
}

type Read<Result> = (fields: RequestFields) => Result;

const text = ["string"] as const;
const textOrNumber = ["string", "integer"] as const;

const functions: Readonly<Record<string, LanguageFunction>> = {
  starts_with: ofTwoTexts((source, start) => source.startsWith(start)),
  ends_with: ofTwoTexts((source, end) => source.endsWith(end)),
  lower: ofText(toAsciiLower),
  upper: ofText(toAsciiUpper),
  len: {
    parameters: [text],
    repeatsLast: false,
    build: ([source]) => {
      const read = textOf(source);
      return { type: "integer", read: (fields) => Buffer.byteLength(read(fields)) };
    },
  },
  concat: {
    parameters: [textOrNumber],
    repeatsLast: true,
    build: (parts) => {
      const reads = parts.map(textOf);
      return { type: "string", read: (fields) => reads.map((read) => read(fields)).join("") };
    },
  },
  lookup_json_string: {
    parameters: [text, textOrNumber],
    repeatsLast: true,
    build: ([json, ...keys]) => {
      const read = textOf(json);
      const readKeys = keys.map(keyOf);
      return {
        type: "string",
        read: (fields) =>
          lookUp(
            read(fields),
            readKeys.map((readKey) => readKey(fields)),
          ),
      };
    },
  },
};

export function findFunction(name: string): LanguageFunction | undefined {
  return Object.hasOwn(functions, name) ? functions[name] : undefined;
}

function ofText(change: (source: string) => string): LanguageFunction {
  return {
    parameters: [text],
    repeatsLast: false,
    build: ([source]) => {
      const read = textOf(source);
      return { type: "string", read: (fields) => change(read(fields)) };
    },
  };
}

function ofTwoTexts(test: (left: string, right: string) => boolean): LanguageFunction {
  return {
    parameters: [text, text],
    repeatsLast: false,
    build: ([left, right]) => {
      const readLeft = textOf(left);
      const readRight = textOf(right);
      return { type: "boolean", read: (fields) => test(readLeft(fields), readRight(fields)) };
    },
  };
}

/** Reads an argument as text; integers become decimal. */
function textOf(value: Value | undefined): Read<string> {
  if (value?.type === "string") return value.read;
  return value?.type === "integer" ? (fields) => String(value.read(fields)) : () => "";
}

function keyOf(value: Value): Read<string | number> {
  return value.type === "integer" ? value.read : textOf(value);
}

/**
 * Follows names into objects and integers into arrays. Returns "" for a missing member, a non-string and invalid
 * JSON.
 */
function lookUp(json: string, keys: readonly (string | number)[]): string {
  let found = parseJson(json);
  for (const key of keys) found = childOf(found, key);
  return typeof found === "string" ? found : "";
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Invalid JSON has no members.
    return undefined;
  }
}

function childOf(parent: unknown, key: string | number): unknown {
  if (typeof parent !== "object" || parent === null) return undefined;
  if (Array.isArray(parent) !== (typeof key === "number")) return undefined;
  return Object.hasOwn(parent, key) ? (parent as Record<string | number, unknown>)[key] : undefined;
}
