import { describe, expect, test } from "vitest";
import {
  parseChoice,
  parseCommand,
  parseEventId,
  parsePort,
  requireOption,
  UsageError,
} from "./arguments.ts";

const options = {
  data: { type: "string" },
  port: { type: "string" },
  "host-name": { type: "string", multiple: true },
  demo: { type: "boolean" },
} as const;

test("options and positionals are read", () => {
  const parsed = parseCommand(["--data", "d", "--demo", "a.grib2", "b.grib2"], options);
  expect(parsed.values).toEqual(expect.objectContaining({ data: "d", demo: true }));
  expect(parsed.positionals).toEqual(["a.grib2", "b.grib2"]);
});

test.each([
  ["an unknown option", ["--nope"], /--nope/],
  ["an option without its value", ["--data"], /--data/],
  ["an option given twice", ["--data", "a", "--data", "b"], /--data is given twice/],
])("%s is a usage error that names it", (_what, args, message) => {
  expect(() => parseCommand(args, options)).toThrow(UsageError);
  expect(() => parseCommand(args, options)).toThrow(message);
});

test("a list option may be given more than once", () => {
  const { values } = parseCommand(["--host-name", "a", "--host-name", "b"], options);
  expect(values["host-name"]).toEqual(["a", "b"]);
});

describe("values", () => {
  test.each(["-1", "65536", "80a", "", "1e3", " 80"])("port %j is refused", (text) => {
    expect(() => parsePort(text)).toThrow(UsageError);
  });

  test("ports from 0 to 65535 are taken", () => {
    expect([parsePort("0"), parsePort("65535")]).toEqual([0, 65_535]);
  });

  test.each(["Upper", "-a", "a-", "", "a".repeat(65), "a_b"])("event id %j is refused", (text) => {
    expect(() => parseEventId(text)).toThrow(UsageError);
  });

  test("an event id of 64 characters is taken", () => {
    expect(parseEventId("a".repeat(64))).toHaveLength(64);
  });

  test("a choice outside the list names the list", () => {
    expect(() => parseChoice("x", "kind", ["one", "two"])).toThrow("--kind takes one or two");
  });

  test("a required option that is missing or empty is named", () => {
    expect(() => requireOption(undefined, "data")).toThrow("--data is required");
    expect(() => requireOption("", "data")).toThrow("--data is required");
  });
});
