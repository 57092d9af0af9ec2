import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CrawlerVerdict, Visitor } from "./crawler-verdict.ts";
import { bot } from "../support/bots-file.ts";
import {
  createTestSigner,
  type SignedHeaders,
  type SignedRequest,
  type TestSigner,
} from "../support/test-signer.ts";
import { openTestVerifier, visitor, type TestVerifier } from "../support/test-verifier.ts";

const url = "https://brief.example/r/1?x=1";

let own: TestSigner;
let shared: TestSigner;
let stranger: TestSigner;
let tested: TestVerifier;
beforeAll(async () => {
  [own, shared, stranger] = await Promise.all([
    createTestSigner("https://train.example"),
    createTestSigner("https://shared.example/bots"),
    createTestSigner("https://train.example"),
  ]);
});
beforeEach(async () => {
  // The signer's clock is the machine's.
  tested = await openTestVerifier({
    at: new Date(),
    bots: [
      bot({ name: "TrainBot", signature_agents: [own.signatureAgent] }),
      bot({ name: "ShareTrainer", signature_agents: [shared.signatureAgent] }),
      bot({ name: "ShareHelper", category: "AI Assistant", signature_agents: [shared.signatureAgent] }),
      bot({ name: "Other", category: "AI Search", ranges: ["192.0.2.0/24"] }),
    ],
  });
  return () => tested.close();
});

function lower(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function verify(
  headers: Readonly<Record<string, string>>,
  given: Partial<Visitor> = {},
): Promise<CrawlerVerdict> {
  return tested.verifier.verify(
    visitor({ userAgent: "Mozilla/5.0", url, headers: lower(headers), ...given }),
  );
}

async function verifySigned(
  request: Partial<SignedRequest>,
  given: Partial<Visitor> = {},
): Promise<CrawlerVerdict> {
  return verify(await own.sign({ url, ...request }), given);
}

const trainBot = {
  status: "verified",
  name: "TrainBot",
  operator: "TrainBot operator",
  category: "AI Crawler",
  proof: "signature",
};

describe("D22 a signed request", () => {
  test("proves its crawler, for any address and user agent", async () => {
    expect(await verifySigned({})).toEqual(trainBot);
    expect(await verifySigned({}, { userAgent: "TrainBot/9" })).toEqual(trainBot);
    const headers = lower(await own.sign({ url }));
    expect(tested.verifier.mayBeCrawler(visitor({ userAgent: "Mozilla/5.0", headers }))).toBe(true);
  });

  test("may cover more components than required", async () => {
    const components = [
      "@method",
      "@authority",
      "@target-uri",
      "@path",
      "@query",
      "@scheme",
      "signature-agent",
      "accept",
    ];
    const headers = { accept: "text/html" };
    const signed = { ...(await own.sign({ url, components, headers })), ...headers };
    expect(await verify(signed)).toEqual(trainBot);
    expect(await verify({ ...signed, accept: "*/*" })).toMatchObject({ status: "unverified" });
  });

  test("has the signature base that the package computes", async () => {
    const covered = fc.uniqueArray(
      fc.constantFrom("@method", "@target-uri", "@scheme", "@path", "@query", "accept", "x-a"),
    );
    const text = fc.string({
      unit: fc.constantFrom(...Array.from("aZ9-._~!$&'()*+,;=:@/%20?")),
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(covered, text, text, async (more, path, query) => {
        const asked = URL.parse(`https://brief.example/${path}?q${query}`)?.href ?? url;
        const headers = { accept: "a, b", "x-a": "1" };
        const components = [...more, "signature-agent", "@authority"];
        const signed = { ...(await own.sign({ url: asked, components, headers })), ...headers };
        expect(await verify(signed, { url: asked })).toEqual(trainBot);
      }),
      { seed: 20261121, numRuns: 100 },
    );
  });

  test.each<[string, string, Partial<SignedRequest>, Partial<Visitor>]>([
    ["expired", "expired", { created: new Date(Date.now() - 120_000) }, {}],
    ["not made yet", "future", { created: new Date(Date.now() + 60_000) }, {}],
    ["good for too long", "longer", { expires: new Date(Date.now() + 4_000_000) }, {}],
    ["of another authority", "does not match", { url: "https://other.example/r/1?x=1" }, {}],
    ["of another port", "does not match", {}, { authority: "brief.example:8443" }],
    ["that does not cover the agent", "signature-agent", { components: ["@authority"] }, {}],
    ["that does not cover the authority", "@authority", { components: ["signature-agent", "@method"] }, {}],
    ["with an agent out of quotes", "quoted", { agentHeader: "https://train.example" }, {}],
    ["with an agent of http", "quoted", { agentHeader: '"http://train.example"' }, {}],
    ["with two agents", "quoted", { agentHeader: '"https://train.example", "https://train.example"' }, {}],
    ["with an agent of nobody", "no crawler", { agentHeader: '"https://nobody.example"' }, {}],
    ["with a key of nobody", "key", { keyId: "A".repeat(43) }, {}],
    [
      "of another algorithm",
      "Ed25519",
      { edit: (text) => text.replace('alg="ed25519"', 'alg="hmac-sha256"') },
      {},
    ],
    ["without an end", "when it was created", { edit: (text) => text.replace(/;expires=\d+/, "") }, {}],
    [
      "covering what is absent",
      "does not have",
      { components: ["@authority", "signature-agent", "x-none"] },
      {},
    ],
    [
      "covering the same twice",
      "does not have",
      { components: ["@authority", "@authority", "signature-agent"] },
      {},
    ],
    ["covering a status", "does not have", { edit: (text) => text.replace("(", '("@status" ') }, {}],
    [
      "with a parameter at a component",
      "does not have",
      { edit: (text) => text.replace('"@authority"', '"@authority";req') },
      {},
    ],
    [
      "changed afterwards",
      "does not match",
      { method: "POST", components: ["@method", "@authority", "signature-agent"] },
      {},
    ],
  ])("%s proves nothing", async (_, why, request, given) => {
    const verdict = await verifySigned(request, given);
    expect(verdict).toMatchObject({ status: "unverified", claimed: undefined });
    expect(verdict).toHaveProperty("why", expect.stringContaining(why));
  });

  test("of an unknown key under a known agent proves nothing", async () => {
    expect(await verify(await stranger.sign({ url }))).toMatchObject({ status: "unverified" });
    expect(await verify(await stranger.sign({ url, keyId: own.keyId }))).toMatchObject({
      status: "unverified",
      why: "Its signature does not match the request.",
    });
  });

  test("of a known key under another's agent proves nothing", async () => {
    expect(await verifySigned({ agentHeader: '"https://shared.example/bots"' })).toMatchObject({
      status: "unverified",
    });
  });

  test("with another tag is ignored", async () => {
    const edit = (text: string): string => text.replace("web-bot-auth", "something-else");
    expect(await verifySigned({ edit })).toMatchObject({
      status: "unverified",
      why: "Its user agent names no crawler in the directory.",
    });
  });

  test("is valid within ten seconds of the crawler's clock", async () => {
    expect(await verifySigned({ created: new Date(Date.now() + 8_000) })).toEqual(trainBot);
    const signed = await own.sign({ url, created: new Date(), expires: new Date(Date.now() + 5_000) });
    tested.pass(13_000);
    expect(await verify(signed)).toEqual(trainBot);
    tested.pass(10_000);
    expect(await verify(signed)).toHaveProperty("why", "Its signature has expired.");
  });

  test("with a nonce is accepted once, even if it arrives twice at the same time", async () => {
    const signed = await own.sign({ url });
    const both = await Promise.all([verify(signed), verify(signed)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["unverified", "verified"]);
    expect(await verify(signed)).toHaveProperty("why", "Its signature was used before.");
    const nonce = /nonce="([^"]+)"/.exec(signed["Signature-Input"])![1]!;
    expect(await verifySigned({ nonce })).toHaveProperty("why", "Its signature was used before.");
  });

  test("without a nonce is accepted until it expires", async () => {
    const signed = await own.sign({ url, edit: (text) => text.replace(/;nonce="[^"]+"/, "") });
    for (let round = 0; round < 2; round += 1) expect(await verify(signed)).toEqual(trainBot);
  });
});

describe("several signatures", () => {
  const join = (...all: readonly SignedHeaders[]): Record<string, string> => ({
    "Signature-Input": all.map((one) => one["Signature-Input"]).join(", "),
    Signature: all.map((one) => one.Signature).join(", "),
    "Signature-Agent": all[0]!["Signature-Agent"],
  });

  test("the valid one decides, in any position", async () => {
    const wrong = await own.sign({ url: "https://other.example/", label: "a" });
    const other = await own.sign({ url, label: "b", edit: (text) => text.replace("web-bot-auth", "other") });
    const right = await own.sign({ url, label: "c" });
    expect(await verify(join(other, wrong, right))).toEqual(trainBot);
    expect(await verify(join(other, wrong))).toHaveProperty(
      "why",
      "Its signature does not match the request.",
    );
  });

  test("only the first few are verified", async () => {
    const all = await Promise.all(
      Array.from({ length: 9 }, (_, index) => own.sign({ url, label: `s${index}` })),
    );
    expect(await verify(join(...all))).toMatchObject({ status: "unverified" });
  });
});

describe("a key of several crawlers", () => {
  test("proves the crawler that the user agent names", async () => {
    const verdicts = ["ShareTrainer/1", "ShareHelper/1"].map(async (userAgent) =>
      verify(await shared.sign({ url }), { userAgent }),
    );
    expect(await Promise.all(verdicts)).toMatchObject([
      { status: "verified", name: "ShareTrainer", category: "AI Crawler" },
      { status: "verified", name: "ShareHelper", category: "AI Assistant" },
    ]);
  });

  test("proves none of them if the user agent names none", async () => {
    expect(await verify(await shared.sign({ url }))).toMatchObject({ status: "unverified" });
    expect(await verify(await shared.sign({ url }), { userAgent: "TrainBot/1" })).toMatchObject({
      status: "unverified",
      claimed: "TrainBot",
    });
  });
});

test("a crawler whose signature contradicts its name may still be proven by its address", async () => {
  const signed = await own.sign({ url });
  const given = { userAgent: "Other/1", address: "192.0.2.9" };
  expect(await verify(signed, given)).toMatchObject({ status: "verified", name: "Other", proof: "ranges" });
});

test("random headers verify nobody and cause no error", async () => {
  const signed = lower(await own.sign({ url, edit: (text) => text.replace(/;nonce="[^"]+"/, "") }));
  const names = ["signature", "signature-input", "signature-agent"] as const;
  const change = fc.record({
    name: fc.constantFrom(...names),
    at: fc.nat(200),
    removed: fc.nat(3),
    added: fc.string({ maxLength: 3, unit: "binary-ascii" }),
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ name, at, removed, added }) => {
      const before = signed[name]!;
      const after = before.slice(0, at) + added + before.slice(at + removed);
      const { status } = await verify({ ...signed, [name]: after });
      // A label or the base64 may be written in more than one way: only the text that is signed may not change.
      if (after !== before && name !== "signature") expect([status, after]).toEqual(["unverified", after]);
    }),
    { seed: 20261121, numRuns: 1500 },
  );
});
