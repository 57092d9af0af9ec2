import { describe, expect, test } from "vitest";
import * as z from "zod";
import { createInput, digits, flag, oneOf } from "./api-input.ts";

class Refusal extends Error {
  override readonly name = "Refusal";
}

const { parseFields, parseQuery } = createInput((message) => new Refusal(message));

describe("fields of a body", () => {
  const Body = z.object({
    name: z.string("must be a text"),
    rules: z.array(z.strictObject({ on: flag })).default([]),
  });

  test("are returned as the schema defines", () => {
    expect(parseFields(Body, { name: "iowa", other: 1 })).toEqual({ name: "iowa", rules: [] });
  });

  test.each([
    [undefined, "A JSON object with fields is needed."],
    [[], "A JSON object with fields is needed."],
    [{}, "The field name is missing."],
    [{ name: 5 }, "The field name must be a text."],
    [{ name: null }, "The field name must be a text."],
    [{ name: "a", rules: [{ on: true }, {}] }, "The field rules.1.on is missing."],
    [{ name: "a", rules: [{ on: "true" }] }, "The field rules.0.on must be true or false."],
    [{ name: "a", rules: [{ on: true, off: 1 }] }, "The field rules.0.off cannot be set here."],
  ])("that are wrong are refused by name, with the part's own error: %j", (value, message) => {
    expect(() => parseFields(Body, value)).toThrow(new Refusal(message));
  });

  test("are truncated if the name is long", () => {
    const name = "n".repeat(200);
    expect(() => parseFields(z.strictObject({}), { [name]: 1 })).toThrow(
      new Refusal(`The field ${"n".repeat(100)} cannot be set here.`),
    );
  });
});

describe("parameters of a query", () => {
  const Parameters = z.object({
    limit: digits(1, 200).default(50),
    order: oneOf(["asc", "desc"]).optional(),
  });

  test("are returned as the schema defines; others are ignored", () => {
    expect(parseQuery(Parameters, new URLSearchParams("limit=007&order=asc&page=x&page=y"))).toEqual({
      limit: 7,
      order: "asc",
    });
    expect(parseQuery(Parameters, new URLSearchParams())).toEqual({ limit: 50 });
  });

  test.each<readonly [string, string]>([
    ["order=up", "The parameter order must be one of asc, desc."],
    ["limit=1&limit=1", "The parameter limit is given more than once."],
    ...["", "0", "201", "-1", "1.5", "1e2", "1000000000", "٣"].map(
      (text) => [`limit=${text}`, "The parameter limit must be a whole number from 1 to 200."] as const,
    ),
  ])("that are wrong are refused by name: %s", (query, message) => {
    expect(() => parseQuery(Parameters, new URLSearchParams(query))).toThrow(new Refusal(message));
  });
});
