import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAppError } from "../../../../shared/app-error.ts";
import { crawlerLimits } from "../gateway-limits.ts";
import { parseDirectoryFile } from "./directory-file.ts";
import { compileDirectory } from "./directory.ts";
import { bot, botsFile } from "../support/bots-file.ts";
import { createTestSigner } from "../support/test-signer.ts";

function faultOf(text: string): string {
  try {
    parseDirectoryFile(text);
  } catch (error) {
    if (isAppError(error, "source-invalid")) return error.detail;
    throw error;
  }
  return "none";
}

const shipped = readFileSync(new URL("../../../../assets/bots.json", import.meta.url), "utf8");

describe("the list that comes with Echotop", () => {
  test("matches the schema, and has a category for every crawler", async () => {
    const { bots, updated_at } = parseDirectoryFile(shipped);
    expect(Date.parse(updated_at)).toBeGreaterThan(Date.parse("2026-11-01"));
    const namesOf = (category: string): string[] =>
      bots.filter((entry) => entry.category === category).map(({ name }) => name);
    expect(namesOf("AI Crawler")).toEqual([
      ...["GPTBot", "ClaudeBot", "Google-CloudVertexBot", "Bytespider", "CCBot", "meta-externalagent"],
      ...["FacebookBot", "Amazonbot"],
    ]);
    expect(namesOf("Search Engine")).toEqual(["Googlebot", "bingbot"]);
    const { findClaimed, ignoredNames } = await compileDirectory({ schema_version: 1, updated_at, bots });
    expect(ignoredNames).toEqual([]);
    for (const { name } of bots)
      expect(findClaimed(`${name}/1.0`).map((crawler) => crawler.name)).toEqual([name]);
    for (const name of ["Google-Extended", "Applebot-Extended"]) expect(findClaimed(name)).toEqual([]);
  });

  test("has nothing that could verify Bytespider", () => {
    const entry = parseDirectoryFile(shipped).bots.find(({ name }) => name === "Bytespider");
    expect(entry).toMatchObject({ ranges: [], dns_suffixes: [], signature_agents: [] });
  });
});

describe("a list", () => {
  test("has suffixes in lower case, without a leading dot or asterisk", () => {
    const text = botsFile([
      bot({ name: "TrainBot", dns_suffixes: ["*.Crawl.Train.example", ".b.example", "c.example."] }),
    ]);
    expect(parseDirectoryFile(text).bots[0]?.dns_suffixes).toEqual([
      "crawl.train.example",
      "b.example",
      "c.example",
    ]);
  });

  test("may omit proofs: such a crawler is never verified", () => {
    const entry = { name: "A-Bot", operator: "A", category: "AI Crawler", user_agents: ["A-Bot"] };
    const text = JSON.stringify({
      schema_version: 1,
      updated_at: "2026-11-20T00:00:00+01:00",
      bots: [entry],
    });
    expect(parseDirectoryFile(text).bots[0]).toMatchObject({
      ranges: [],
      dns_suffixes: [],
      signature_agents: [],
    });
  });

  test.each([
    ["invalid JSON", "{", /not JSON/],
    ["not an object", "[]", /at the top level/],
    [
      "another version",
      '{"schema_version":2,"updated_at":"2026-11-20T00:00:00Z","bots":[]}',
      /schema_version/,
    ],
    ["no time", '{"schema_version":1,"updated_at":"yesterday","bots":[]}', /updated_at/],
    ["a key of nobody", '{"schema_version":1,"updated_at":"2026-11-20T00:00:00Z","bots":[],"x":1}', /"x"/],
    [
      "a key of nobody in an entry",
      botsFile([{ ...bot({ name: "TrainBot" }), ...{ range: [] } }]),
      /bots\.0.*"range"/,
    ],
    [
      "a range that is none",
      botsFile([bot({ name: "TrainBot", ranges: ["1.2.3.4"] })]),
      /bots\.0\.ranges\.0.*CIDR/,
    ],
    ["everybody's range", botsFile([bot({ name: "TrainBot", ranges: ["0.0.0.0/0"] })]), /bots\.0\.ranges\.0/],
    [
      "a browser's name",
      botsFile([bot({ name: "A", user_agents: ["Mozilla"] })]),
      /user_agents\.0.*browsers/,
    ],
    ["a name of two words", botsFile([bot({ name: "A", user_agents: ["Train Bot"] })]), /user_agents\.0/],
    [
      "a top-level suffix",
      botsFile([bot({ name: "TrainBot", dns_suffixes: [".com"] })]),
      /dns_suffixes\.0.*two labels/,
    ],
    ["control characters", botsFile([bot({ name: "A\u001b[2J" })]), /bots\.0\.name/],
    ["no category", botsFile([bot({ name: "A", category: "" })]), /bots\.0\.category/],
    ["too much", botsFile([bot({ name: "A".repeat(crawlerLimits.directoryBytes) })]), /larger/],
  ])("%s is refused in a sentence", (_, text, fault) => {
    expect(faultOf(text)).toMatch(fault);
    expect(faultOf(text)).toMatch(/^The list of crawlers .{5,400}\.$/);
  });

  test("keys must be public Ed25519 keys with an https agent", async () => {
    const { signatureAgent } = await createTestSigner();
    const [key] = signatureAgent.keys;
    const fault = (agent: unknown): string =>
      faultOf(botsFile([bot({ name: "TrainBot", signature_agents: [agent] })]));
    expect(fault({ url: "https://a.example", keys: [{ ...key, kid: "k1", use: "sig" }] })).toBe("none");
    expect(fault({ url: "http://a.example", keys: [key] })).toMatch(/url.*https/);
    expect(fault({ url: "https://u@a.example", keys: [key] })).toMatch(/url/);
    expect(fault({ url: "https://a.example", keys: [{ ...key, d: key?.x }] })).toMatch(/private/);
    expect(fault({ url: "https://a.example", keys: [{ ...key, crv: "X25519" }] })).toMatch(/crv/);
    expect(fault({ url: "https://a.example", keys: [{ ...key, x: "AAAA" }] })).toMatch(/x: /);
  });
});

test("any change to a list leaves it valid, or it is refused in a sentence", async () => {
  const { signatureAgent } = await createTestSigner();
  const good = botsFile([
    bot({
      name: "TrainBot",
      ranges: ["192.0.2.0/24"],
      dns_suffixes: ["crawl.example"],
      signature_agents: [signatureAgent],
    }),
  ]);
  const damaged = fc
    .tuple(fc.nat(good.length), fc.nat(8), fc.string({ maxLength: 6, unit: "binary" }))
    .map(([at, removed, added]) => good.slice(0, at) + added + good.slice(at + removed));
  const anyValue = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.constant(null),
    fc.array(fc.string(), { maxLength: 3 }),
  );
  const anyKey = fc.constantFrom(...Object.keys(bot({ name: "TrainBot" })), "__proto__", "x");
  const anyEntry = fc
    .dictionary(anyKey, anyValue, { maxKeys: 4 })
    .map((entry) => ({ ...bot({ name: "TrainBot" }), ...entry }));
  const anyFile = fc.array(anyEntry, { maxLength: 3 }).map((entries) => botsFile(entries));
  await fc.assert(
    fc.asyncProperty(fc.oneof(damaged, anyFile, fc.string()), async (text) => {
      const fault = faultOf(text);
      if (fault !== "none") expect(fault).toMatch(/^The list of crawlers [^]{5,400}\.$/);
      else await compileDirectory(parseDirectoryFile(text));
    }),
    { seed: 20261121, numRuns: 600 },
  );
});
