import { expect, test } from "vitest";
import {
  parseDecimal,
  parseEventId,
  parseLabel,
  parseOutFolder,
  parsePort,
  UsageError,
} from "./option-values.ts";

test.each(["-1", "65536", "80a", "", "1e3", " 80"])("port %j is refused", (text) => {
  expect(() => parsePort(text)).toThrow(UsageError);
});

test("ports from 0 to 65535 are accepted", () => {
  expect([parsePort("0"), parsePort("65535")]).toEqual([0, 65_535]);
});

test.each(["Upper", "-a", "a-", "", "a".repeat(65), "a_b"])("event id %j is refused", (text) => {
  expect(() => parseEventId(text)).toThrow(UsageError);
});

test("an event id of 64 characters is accepted", () => {
  expect(parseEventId("a".repeat(64))).toHaveLength(64);
});

test("an empty label or folder is refused", () => {
  expect(parseLabel(" Plains ")).toBe("Plains");
  expect(() => parseLabel(" ")).toThrow(UsageError);
  expect(() => parseOutFolder("")).toThrow(UsageError);
});

test("only plain decimal numbers are parsed", () => {
  expect([parseDecimal("2"), parseDecimal("0.5")]).toEqual([2, 0.5]);
  for (const text of ["", "-1", "1e3", "0x10", ".5", "Infinity"]) expect(parseDecimal(text)).toBeNaN();
});
