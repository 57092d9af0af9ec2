import { Command, Option } from "@commander-js/extra-typings";
import { describe, expect, test, vi } from "vitest";
import { createSystemEffects } from "../platform/effects.ts";
import { parseArguments } from "./command-line.ts";
import type { DefineCommand } from "./command.ts";
import { echotop, parseCommandLine } from "./echotop.ts";
import { UsageError } from "./option-values.ts";

const context = { effects: createSystemEffects(), signal: new AbortController().signal };

/** Runs a command line that only prints text. */
async function print(...args: readonly string[]): Promise<{ status: number; out: string; err: string }> {
  const written = { out: "", err: "" };
  const spies = (
    [
      ["out", process.stdout],
      ["err", process.stderr],
    ] as const
  ).map(([key, stream]) =>
    vi.spyOn(stream, "write").mockImplementation((text) => {
      written[key] += String(text);
      return true;
    }),
  );
  try {
    return { status: await parseCommandLine(args)(context), ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

describe("options", () => {
  let parsed: unknown;
  const define: DefineCommand = (submit) =>
    new Command("place")
      .argument("[name]")
      .option("--data <dir>")
      .option("--lon <degrees>")
      .option("--demo")
      .addOption(
        new Option("--host-name <name>")
          .default<readonly string[]>([])
          .argParser((name, names: readonly string[]) => [...names, name]),
      )
      .action((name, options) => {
        parsed = { name, ...options };
        submit(() => Promise.resolve(0));
      });
  const parse = (...args: readonly string[]): unknown => {
    parseArguments(define, args);
    return parsed;
  };

  test("are parsed before and after arguments; a list may be repeated, a value may be negative", () => {
    expect(parse("--data", "d", "here", "--demo")).toEqual({
      name: "here",
      data: "d",
      demo: true,
      hostName: [],
    });
    expect(parse("--host-name", "a", "--host-name", "b")).toEqual({ hostName: ["a", "b"] });
    expect(parse("--lon", "-97.4")).toMatchObject({ lon: "-97.4" });
    expect(parse("--lon", "-.5")).toMatchObject({ lon: "-.5" });
    expect(parse("--data=--demo", "--", "--x")).toMatchObject({ name: "--x", data: "--demo" });
  });

  test.each([
    ["an unknown option", ["--nope"], /--nope/],
    ["an option without its value", ["--data"], /--data/],
    ["an option in place of a value", ["--data", "--demo"], /--data needs a value/],
    ["a value for a switch", ["--demo=yes"], /--demo/],
    ["an option given twice", ["--data", "a", "--data", "b"], /--data is given twice/],
    ["a switch given twice", ["--demo", "--demo"], /--demo is given twice/],
    ["an extra argument", ["a", "b"], /Too many arguments/],
  ])("%s is a usage error", (_what, args, message) => {
    expect(() => parse(...args)).toThrow(UsageError);
    expect(() => parse(...args)).toThrow(message);
  });
});

describe("echotop", () => {
  test("--help and help list the commands; without a command help is an error", async () => {
    const help = await print("--help");
    expect(help).toMatchObject({ status: 0, err: "" });
    expect(help.out).toMatch(/^ {2}serve +runs? the storm service/m);
    expect(await print("help")).toEqual(help);
    expect(await print()).toEqual({ status: 2, out: "", err: help.out });
  });

  test("every command has help with its options, their defaults and an example", async () => {
    const program = echotop(() => undefined);
    const groups = ["pack", "token"];
    const names = program.commands.flatMap((command) =>
      groups.includes(command.name())
        ? command.commands.map((child) => [command.name(), child.name()])
        : [[command.name()]],
    );
    expect(names.length).toBeGreaterThan(15);
    for (const name of names) {
      const { status, out } = await print(...name, "--help");
      expect(status).toBe(0);
      expect(out).toMatch(new RegExp(`Examples?:\n  echotop ${name.join(" ")}`));
      const example = /^ {2}echotop (.*)$/m
        .exec(out)![1]!
        .replace(/ > .*$/, "")
        .replaceAll('"', "");
      expect(() => parseCommandLine(example.split(" ").filter((word) => word !== "hail"))).not.toThrow();
    }
    expect((await print("help", "serve")).out).toMatch(/--port <number> .*\(default:\s+47800\)/s);
    expect((await print("help", "pack")).out).toContain("export <event> ");
    expect((await print("archive", "--help")).out).toContain("event to archive (required)");
    expect((await print("log", "--help")).out).toContain("form of the lines (jsonl, csv; default: jsonl)");
  });

  test("help of a subcommand can be asked for in three ways", async () => {
    const help = await print("pack", "fetch", "--help");
    expect(help.out).toContain("Usage: echotop pack fetch");
    expect(await print("help", "pack", "fetch")).toEqual(help);
    expect(await print("pack", "help", "fetch")).toEqual(help);
  });

  test("help fits a terminal of 100 columns", async () => {
    const program = echotop(() => undefined);
    const names = program.commands.flatMap((command) => [
      [command.name()],
      ...command.commands.map((child) => [command.name(), child.name()]),
    ]);
    for (const name of [[], ...names]) {
      const { out } = await print(...name, "--help");
      expect(out.split("\n").filter((line) => line.length > 100)).toEqual([]);
    }
  });

  test("--version prints the package's version", async () => {
    const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
    expect(await print("--version")).toEqual({ status: 0, out: `${manifest.version}\n`, err: "" });
  });

  test.each([
    [["serv"], "Unknown command 'serv'. Did you mean serve?"],
    [["log", "--fromat", "csv"], "Unknown option '--fromat'. Did you mean --format?"],
    [["help", "serv"], "Unknown command 'serv'. Did you mean serve?"],
    [["serv", "--help"], "Unknown command 'serv'. Did you mean serve?"],
    [["log", "--format", "xml"], '--format: "xml" is none of jsonl, csv.'],
    [["completion", "fish"], '"fish" is none of bash, zsh.'],
    [["serve", "--port"], "--port needs a value."],
    [["archive"], "--event <id> is required."],
    [["archive", "--evnt", "a"], "Unknown option '--evnt'. Did you mean --event?"],
    [["ingest", "--event", "a"], "Missing required argument 'path'."],
    [["pack", "send"], "Unknown command 'send'"],
    [["--data", "d", "log"], "Unknown option '--data'"],
    [["serve", "--host", "10.0.0.1"], "--host-name NAME"],
    [["serve", "--feed-event", "a"], "--feed-event needs --feed"],
    [["serve", "--feed", "mirror:http://a.example/", "--feed-event", "a"], "--feed-event cannot be used"],
    [["replay", "--event", "a", "--as", "a"], "another event"],
    [["replay", "--event", "a", "--as", "b", "--speed", "0"], "--speed takes"],
    [["replay", "--event", "a", "--as", "b", "--max-gap", "-1"], "--max-gap takes"],
    [["backup", "--to", ""], "--to is empty"],
    [["pack", "import", ""], "The path is empty"],
  ])("%j is an invalid command line", (args, message) => {
    expect(() => parseCommandLine(args)).toThrow(UsageError);
    expect(() => parseCommandLine(args)).toThrow(message);
  });

  test.each([
    ["serve", "--port", "0", "--no-open", "--demo", "--feed", "off"],
    ["serve", "--host", "0.0.0.0", "--host-name", "a", "--host-name", "b", "--config", "echotop.json"],
    ["ingest", "a.grib2", "--event", "a", "--kind", "operational-feed", "b"],
    ["register", "--known", "hondo-2021-04-28", "--event", "hondo"],
    ["brief", "plains", "--revisions", "3,5,9-12", "--base", "https://brief.example/"],
    ["token", "create", "--permission", "zone-settings:edit", "--expires-in", "60"],
  ])("%j %j is parsed but not run", (...args) => {
    expect(parseCommandLine(args)).toBeTypeOf("function");
  });
});
