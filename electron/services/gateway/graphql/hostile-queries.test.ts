// Queries made to cost much or to break something: a quick answer, and never a failure.
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeRecord, makeRedirect } from "../support/sample-records.ts";
import { startZoneApi, type ZoneApi } from "../support/zone-api.ts";
import { dimensions } from "./dimensions.ts";

async function ask(api: ZoneApi, body: unknown) {
  const text = JSON.stringify(body);
  const response = await api.ask("/client/v4/graphql", "zone-settings:read", { method: "POST", body: text });
  const answer = (await response.json()) as { readonly errors?: readonly { readonly message: string }[] };
  return { status: response.status, said: answer.errors?.map(({ message }) => message).join("\n") ?? "" };
}

const groups = (rest: string, alias = "a"): string => `${alias}: httpRequestsAdaptiveGroups${rest}`;
const zone = (inner: string): string => `viewer { zones(filter: { zoneTag: "z1" }) { ${inner} } }`;
const times = (count: number, toText: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => toText(n)).join(" ");

const doubling = (steps: number): string =>
  `{ ...F0 } ${times(steps, (n) => `fragment F${n} on Query { ${n === steps - 1 ? "__typename" : `a: viewer { __typename } ...F${n + 1} ...F${n + 1}`} }`)}`;
const nested = (depth: number, inner: string): string =>
  depth === 0 ? inner : `AND: [{ ${nested(depth - 1, inner)} }]`;

test("queries that are too large are refused quickly", async () => {
  const api = await startZoneApi();
  for (let n = 0; n < 3_000; n++) api.log.append(makeRecord(n));
  const all = dimensions.map(({ name }) => name).join(" ");
  const wrong: Readonly<Record<string, string>> = {
    [doubling(20)]: "at most 500 fields",
    [`{ ${times(600, (n) => `a${n}: viewer { __typename }`)} }`]: "Syntax Error",
    [`{ ${times(300, (n) => `a${n}: viewer { __typename }`)} }`]: "at most 500 fields",
    [`{ ${zone(times(9, (n) => groups("(limit: 1) { count }", `a${n}`)))} }`]: "only a few times",
    [`{ ${zone(times(8, (n) => groups(`(limit: 5000) { count dimensions { ${all} } }`, `a${n}`)))} }`]:
      "too large",
    [`{ ${zone(groups(`(limit: 1, filter: { ${nested(9, "")} }) { count }`))} }`]: "at most 8 deep",
    [`{ ${zone(groups(`(limit: 1, filter: { ${nested(900, "")} }) { count }`))} }`]: "Syntax Error",
    [`{ ${zone(groups(`(limit: 1, filter: { edgeResponseStatus_in: [${times(1_001, String)}] }) { count }`))} }`]:
      "at most 1000 values",
    [`{ ${zone(groups(`(limit: 1, filter: { userAgent_like: "${"%a".repeat(600)}" }) { count }`))} }`]:
      "at most 1024 characters",
    [`{ ${zone(groups(`(limit: 1, filter: { OR: [${times(5, (n) => `{ userAgent_like: "${n}${"a".repeat(900)}" }`)}] }) { count }`))} }`]:
      "4096 characters together",
    "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }": "within itself",
    [`{ __schema { types { ${"fields { type { ".repeat(6)} name ${"} } ".repeat(6)} } } }`]:
      "introspection depth",
    [`{${"a{".repeat(900)}`]: "Syntax Error",
  };
  for (const [query, said] of Object.entries(wrong)) {
    const begin = performance.now();
    const answer = await ask(api, { query });
    expect([answer.status, answer.said.slice(0, 500)], query.slice(0, 300)).toEqual([
      200,
      expect.stringMatching(new RegExp(said, "i")),
    ]);
    expect(performance.now() - begin).toBeLessThan(10_000);
  }
  const deep = `{"query":"{a}","variables":${'{"a":'.repeat(8_000)}1${"}".repeat(8_001)}`;
  const response = await api.ask("/client/v4/graphql", "zone-settings:read", {
    method: "POST",
    body: deep,
  });
  expect(response.status).toBe(400);
});

test("a pattern made of wildcards takes no longer than others", async () => {
  const api = await startZoneApi();
  for (let n = 0; n < 500; n++) api.log.append(makeRecord(n, { path: `/${"a".repeat(4_000)}` }));
  const query = `{ ${zone(groups(`(limit: 1, filter: { clientRequestPath_like: "${"%a".repeat(200)}%b" }) { count }`))} }`;
  const begin = performance.now();
  expect(await ask(api, { query })).toEqual({ status: 200, said: "" });
  expect(performance.now() - begin).toBeLessThan(10_000);
});

test("a long pattern against paths made for it does not block other requests", async () => {
  const api = await startZoneApi();
  for (let n = 0; n < 60; n++) api.log.append(makeRecord(n, { path: `/${"a".repeat(4_000)}` }));
  const query = `{ ${zone(groups(`(limit: 1, filter: { clientRequestPath_like: "%${"a".repeat(1_000)}b" }) { count }`))} }`;
  const begin = performance.now();
  let last = begin;
  let longest = 0;
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  expect(await ask(api, { query })).toEqual({ status: 200, said: "" });
  clearInterval(timer);
  longest = Math.max(longest, performance.now() - last);
  expect(longest).toBeLessThan((performance.now() - begin) / 2);
});

test("no query text and no value makes the service fail", async () => {
  const api = await startZoneApi();
  for (let n = 0; n < 30; n++) api.log.append(n % 2 === 0 ? makeRecord(n) : makeRedirect(n));
  const sound = `query Q($v: String) { ${zone(
    groups(
      '(limit: 9, orderBy: [count_DESC], filter: { userAgent_like: $v, datetime_geq: "2026-11-20T12:00:00Z" })' +
        " { count dimensions { clientRequestPath datetimeHour } }",
    ),
  )} }`;
  const piece = fc.constantFrom(
    ...[
      "{",
      "}",
      "(",
      ")",
      "[",
      "]",
      ":",
      "$v",
      "...",
      "@include(if: true)",
      "null",
      '"',
      '"""',
      "\\u{110000}",
    ],
    ...[
      "count",
      "dimensions",
      "AND",
      "OR",
      "limit",
      "-1",
      "1e999",
      "fragment F on Zone",
      "\u0000",
      "\ud800",
      "#",
    ],
  );
  const mutated = fc
    .array(fc.tuple(fc.nat(sound.length), fc.nat(12), piece), { minLength: 1, maxLength: 3 })
    .map((edits) =>
      edits.reduce((text, [at, length, put]) => text.slice(0, at) + put + text.slice(at + length), sound),
    );
  const value = fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 3 }), fc.constant("%'\\"));
  await fc.assert(
    fc.asyncProperty(fc.oneof(mutated, fc.constant(sound)), value, async (query, v) => {
      expect([200, 400]).toContain((await ask(api, { query, variables: { v } })).status);
    }),
    { seed: 7, numRuns: 150 },
  );
  expect(api.api.log).toEqual([]);
});
