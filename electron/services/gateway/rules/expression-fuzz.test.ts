// Random expressions: valid ones mean what they were built to mean, invalid ones quickly end in an ExpressionError.
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileExpression } from "./compile-expression.ts";
import { ExpressionError } from "./expression-error.ts";
import type { RequestFields } from "./request-fields.ts";
import { someRequest } from "../support/some-request.ts";

const seed = 20_261_121;

/** An expression as text, and its meaning, computed without the language. */
interface Meant {
  readonly text: string;
  readonly holds: (fields: RequestFields) => boolean;
}

const anyText = fc.string({
  unit: fc.constantFrom("a", "B", '"', "\\", "*", "é", "\n", "#", " "),
  maxLength: 4,
});

/** A string in one of its three notations. */
function written(value: string, way: number): string {
  if (way === 0 && !value.includes('"#')) return `r#"${value}"#`.replace(/""#$/, String.raw`""#`);
  if (way === 1) return `"${value.replace(/["\\]/g, (char) => `\\x${char.charCodeAt(0).toString(16)}`)}"`;
  return `"${value.replace(/["\\]/g, String.raw`\$&`)}"`;
}

const way = fc.nat(2);
const about = fc.constantFrom<[string, (fields: RequestFields) => string]>(
  ["http.host", ({ host }) => host],
  ["http.user_agent", ({ userAgent }) => userAgent],
  ["http.request.uri.path", ({ path }) => path],
);

const leaf: fc.Arbitrary<Meant> = fc.oneof(
  fc.constantFrom<Meant>(
    { text: "ssl", holds: ({ isTls }) => isTls },
    { text: "cf.client.bot", holds: ({ isVerifiedBot }) => isVerifiedBot },
  ),
  fc
    .tuple(about, fc.constantFrom("eq", "==", "ne", "!=", "contains"), anyText, way)
    .map(([[name, read], operator, value, how]): Meant => ({
      text: `${name} ${operator} ${written(value, how)}`,
      holds: (fields) =>
        operator === "contains"
          ? read(fields).includes(value)
          : (read(fields) === value) === /^(?:eq|==)$/.test(operator),
    })),
  fc
    .tuple(about, fc.array(fc.tuple(anyText, way), { minLength: 1, maxLength: 4 }))
    .map(([[name, read], members]): Meant => ({
      text: `${name} in {${members.map(([value, how]) => written(value, how)).join(" ")}}`,
      holds: (fields) => members.some(([value]) => value === read(fields)),
    })),
  fc
    .tuple(about, fc.constantFrom("lt", "<=", "gt", ">=", "=="), fc.integer({ min: -1, max: 6 }))
    .map(([[name, read], operator, size]): Meant => ({
      text: `len(${name})${operator === "lt" || operator === "gt" ? ` ${operator} ` : operator}${size}`,
      holds: (fields) => {
        const length = new TextEncoder().encode(read(fields)).length;
        if (operator === "lt") return length < size;
        if (operator === "<=") return length <= size;
        if (operator === "gt") return length > size;
        return operator === "==" ? length === size : length >= size;
      },
    })),
);

const { whole } = fc.letrec<{ whole: Meant; joined: Meant; single: Meant }>((tie) => ({
  single: fc.oneof(
    { maxDepth: 3, depthIdentifier: "expression", withCrossShrink: true },
    leaf,
    tie("whole").map(({ text, holds }): Meant => ({ text: `(${text})`, holds })),
    fc
      .tuple(fc.constantFrom("not ", "!"), tie("single"))
      .map(([sign, { text, holds }]): Meant => ({ text: sign + text, holds: (fields) => !holds(fields) })),
  ),
  joined: fc
    .array(tie("single"), { minLength: 1, maxLength: 3 })
    .map((parts) => joinAll(parts, "and", (left, right) => left && right)),
  whole: fc
    .array(fc.array(tie("joined"), { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
    .map((ors) =>
      joinAll(
        ors.map((xors) => joinAll(xors, "^^", (left, right) => left !== right)),
        "||",
        (left, right) => left || right,
      ),
    ),
}));

function joinAll(
  parts: readonly Meant[],
  sign: string,
  join: (left: boolean, right: boolean) => boolean,
): Meant {
  return parts.reduce((left, right) => ({
    text: `${left.text} ${sign}\n${right.text}`,
    holds: (fields) => join(left.holds(fields), right.holds(fields)),
  }));
}

const someFields = fc.record({
  host: anyText,
  userAgent: anyText,
  path: anyText,
  isTls: fc.boolean(),
  isVerifiedBot: fc.boolean(),
});

test("random expressions mean what they were built to mean", () => {
  let compiled = 0;
  fc.assert(
    fc.property(whole, someFields, ({ text, holds }, more) => {
      fc.pre(text.length <= 4_096 && !/(?:[(!]|not ){20}/.test(text));
      const fields = someRequest(more);
      expect(compileExpression(text).matches(fields)).toBe(holds(fields));
      compiled += 1;
    }),
    { seed, numRuns: 300 },
  );
  expect(compiled).toBeGreaterThan(270);
});

const scraps = fc.constantFrom(
  ...["http.host", "ip.src", "ssl", "http.request.uri.path", "cf.client.bot", "len", "lower", "concat"],
  ...[
    "starts_with",
    "lookup_json_string",
    "eq",
    "==",
    "in",
    "contains",
    "wildcard",
    "strict",
    "matches",
    "not",
  ],
  ...[
    "and",
    "or",
    "xor",
    "&&",
    "||",
    "!",
    "^^",
    "(",
    ")",
    "{",
    "}",
    ",",
    '"a"',
    '"',
    'r"',
    'r#"b"#',
    "#",
    "\\",
  ],
  ...[
    "1",
    "-1",
    "1..3",
    "..",
    "1.2.3.4",
    "1.2.3.0/24",
    "::1",
    "/",
    "true",
    "\n",
    " ",
    "\t",
    "\u0000",
    "🌩",
    "\uD800",
  ],
);
const nonsense = fc.oneof(
  fc.array(scraps, { maxLength: 30 }).map((parts) => parts.join(" ")),
  fc.array(scraps, { maxLength: 30 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.tuple(whole, fc.nat(), fc.oneof(scraps, fc.constant(""))).map(([{ text }, at, scrap]) => {
    const cut = at % (text.length + 1);
    return text.slice(0, cut) + scrap + text.slice(cut + 1);
  }),
);

test("random text compiles, or ends in an ExpressionError with a caret below its line", () => {
  let refused = 0;
  fc.assert(
    fc.property(nonsense, (text) => {
      try {
        compileExpression(text).matches(someRequest({ hostnameMetadata: "{" }));
      } catch (error) {
        refused += 1;
        if (!(error instanceof ExpressionError)) throw error;
        expect(error.message).toMatch(/^Filter parsing error \(\d+:\d+\):\n[^\n]*\n[ \t]*\^+ \S[^\n]*\.$/);
        expect(error.line).toBeLessThanOrEqual(text.split("\n").length);
      }
    }),
    { seed, numRuns: 1_500 },
  );
  expect(refused).toBeGreaterThan(500);
});

test.each([
  '"',
  "(",
  "!",
  "r#",
  "#",
  '{"a" ',
  "lower(",
  "ssl or ",
  "1..",
  'http.host in {"a" ',
  "\\",
  "\n",
  "é",
])("4,096 characters of %j are compiled or refused quickly", (unit) => {
  const text = unit.repeat(4_096).slice(0, 4_096);
  const startedAt = performance.now();
  expect(() => compileExpression(text)).toThrow(ExpressionError);
  expect(performance.now() - startedAt).toBeLessThan(250);
});

test("a request of 300 kilobytes is evaluated in linear time", () => {
  const text = Array.from(
    { length: 40 },
    (_, part) => `concat(lower(http.user_agent),"${part}") contains "ab${part}x"`,
  ).join(" or ");
  const { matches } = compileExpression(text);
  const startedAt = performance.now();
  expect(matches(someRequest({ userAgent: "aB".repeat(150_000) }))).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
