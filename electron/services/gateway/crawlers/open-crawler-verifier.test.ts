import { mkdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CrawlerVerdict, Visitor } from "./crawler-verdict.ts";
import { bot, botsFile, type BotEntry } from "../support/bots-file.ts";
import { startScriptedDns, type ScriptedDns } from "../support/scripted-dns.ts";
import { openTestVerifier, visitor, type TestVerifier } from "../support/test-verifier.ts";

let opened: TestVerifier[];
let dns: ScriptedDns;
beforeEach(async () => {
  opened = [];
  dns = await startScriptedDns();
});
afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await dns.stop();
});

async function open(bots: readonly BotEntry[] | string | undefined): Promise<TestVerifier> {
  const one = await openTestVerifier({ bots, dnsServers: [dns.server] });
  opened.push(one);
  return one;
}

function verify({ verifier }: TestVerifier, given: Partial<Visitor>): Promise<CrawlerVerdict> {
  return verifier.verify(visitor(given));
}

const train = bot({ name: "TrainBot", ranges: ["127.0.0.2/32", "2001:db8:1::/48"] });
const named = bot({ name: "NameBot", dns_suffixes: ["crawl.name.example"] });

describe("a name and the operator's ranges", () => {
  test("D18 and D19 verify together, and neither does alone", async () => {
    const tested = await open([train]);
    const verified = {
      status: "verified",
      name: "TrainBot",
      operator: "TrainBot operator",
      category: "AI Crawler",
      proof: "ranges",
    };
    for (const address of ["127.0.0.2", "::ffff:127.0.0.2", "::ffff:7f00:2", "2001:db8:1::9"]) {
      expect(await verify(tested, { address }), address).toEqual(verified);
    }
    expect(await verify(tested, { address: "127.0.0.1" })).toEqual({
      status: "unverified",
      claimed: "TrainBot",
      why: "Its address is not in the address ranges of TrainBot.",
    });
    expect(
      await verify(tested, { address: "127.0.0.2", userAgent: "Mozilla/5.0 Firefox/140.0" }),
    ).toMatchObject({
      status: "unverified",
      claimed: undefined,
    });
    expect(dns.questions()).toEqual([]);
  });

  test("of one list for several crawlers: the name selects one", async () => {
    const ranges = ["192.0.2.0/24"];
    const tested = await open([
      bot({ name: "OpTrainer", ranges }),
      bot({ name: "OpHelper", category: "AI Assistant", ranges }),
    ]);
    const address = "192.0.2.1";
    expect(await verify(tested, { address, userAgent: "OpHelper/1" })).toMatchObject({
      category: "AI Assistant",
    });
    expect(await verify(tested, { address, userAgent: "optrainer" })).toMatchObject({
      category: "AI Crawler",
    });
    const both = await verify(tested, { address, userAgent: "OpTrainer/1 OpHelper/1" });
    expect(both).toMatchObject({ status: "unverified", claimed: "OpTrainer" });
    expect(both).toHaveProperty("why", expect.stringContaining("different categories"));
  });

  test("an invalid address is in no range", async () => {
    expect(await verify(await open([train]), { address: "unix:" })).toMatchObject({ status: "unverified" });
  });

  test("D23 tokens of robots.txt match no visitor, even if the file lists them", async () => {
    const tested = await open([
      bot({
        name: "Google-Extended",
        user_agents: ["Google-Extended", "applebot-extended"],
        ranges: ["127.0.0.2/32"],
      }),
      bot({ name: "Applebot", ranges: ["127.0.0.2/32"] }),
    ]);
    for (const userAgent of ["Google-Extended", "Mozilla/5.0 (Applebot-Extended/1.0)"]) {
      expect(tested.verifier.mayBeCrawler(visitor({ userAgent }))).toBe(false);
      expect(await verify(tested, { address: "127.0.0.2", userAgent })).toMatchObject({
        status: "unverified",
        claimed: undefined,
      });
    }
    expect(tested.logged.some(({ message }) => message.includes("robots.txt"))).toBe(true);
  });
});

describe("D21 a name and the DNS", () => {
  const userAgent = "NameBot/2";
  const address = "192.0.2.5";

  test("verify if both lookups lead to the address, and are not repeated", async () => {
    const tested = await open([named]);
    dns.setHost(address, "a.crawl.name.example");
    const verified = { status: "verified", name: "NameBot", proof: "dns" };
    expect(await verify(tested, { userAgent, address })).toMatchObject(verified);
    expect(await verify(tested, { userAgent, address: `::ffff:${address}` })).toMatchObject(verified);
    expect(await verify(tested, { userAgent, address })).toMatchObject(verified);
    expect(dns.questions().filter((text) => text === "A a.crawl.name.example")).toHaveLength(2);
  });

  test("refute if the forward lookup leads elsewhere, or the name is only similar", async () => {
    const tested = await open([named]);
    dns.setReverse(address, ["a.crawl.name.example"]);
    dns.set("A", "a.crawl.name.example", ["192.0.2.6"]);
    dns.setHost("192.0.2.7", "notcrawl.name.example");
    for (const each of [address, "192.0.2.7", "192.0.2.8"]) {
      expect(await verify(tested, { userAgent, address: each })).toEqual({
        status: "unverified",
        claimed: "NameBot",
        why: "The DNS does not confirm its address as one of NameBot.",
      });
    }
  });

  test("leave the visitor unknown if the DNS is silent, after at most half a second", async () => {
    const tested = await open([named]);
    dns.setReverse(address, "silence");
    const began = performance.now();
    expect(await verify(tested, { userAgent, address })).toMatchObject({
      status: "unknown",
      claimed: "NameBot",
    });
    expect(performance.now() - began).toBeLessThan(1_500);
    dns.setReverse("192.0.2.6", ["a.crawl.name.example"]);
    dns.set("A", "a.crawl.name.example", "servfail");
    expect(await verify(tested, { userAgent, address: "192.0.2.6" })).toMatchObject({ status: "unknown" });
  });

  test("are checked after the ranges, and only for a visitor with the name", async () => {
    const tested = await open([{ ...named, ranges: ["192.0.2.0/24"] }]);
    expect(await verify(tested, { userAgent, address })).toMatchObject({ proof: "ranges" });
    await verify(tested, { userAgent: "Mozilla/5.0", address: "198.51.100.1" });
    expect(dns.questions()).toEqual([]);
    dns.setHost("198.51.100.1", "b.crawl.name.example");
    expect(await verify(tested, { userAgent, address: "198.51.100.1" })).toMatchObject({ proof: "dns" });
  });

  test("a crawler without any proof is unknown", async () => {
    const tested = await open([bot({ name: "Bytespider" })]);
    expect(await verify(tested, { userAgent: "Bytespider" })).toEqual({
      status: "unknown",
      claimed: "Bytespider",
      why: "The directory has nothing that could verify Bytespider.",
    });
  });
});

describe("the file", () => {
  const isVerified = async (tested: TestVerifier): Promise<boolean> =>
    (await verify(tested, { address: "127.0.0.2" })).status === "verified";
  const soon = { timeout: 10_000, interval: 10 };

  test("D24 without entries, no visitor is verified", async () => {
    const tested = await open([]);
    expect(tested.verifier.mayBeCrawler(visitor({}))).toBe(false);
    expect(await verify(tested, { address: "127.0.0.2" })).toMatchObject({
      status: "unverified",
      claimed: undefined,
    });
    expect(tested.verifier.state()).toMatchObject({ crawlers: 0, problem: null });
  });

  test.each([
    ["is not there", undefined],
    ["is no JSON", "{"],
  ])(
    "that %s at the start leaves everybody unverified, and is read as soon as it can be",
    async (_, text) => {
      const tested = await open(text);
      expect(await isVerified(tested)).toBe(false);
      expect(tested.verifier.state()).toMatchObject({ updatedAt: null, crawlers: 0 });
      expect(tested.verifier.state().problem).toMatch(/^The list of crawlers .*\.$/);
      expect(tested.verifier.state().problem).not.toContain(tested.folder);
      expect(tested.logged.map(({ level }) => level)).toEqual(["warn"]);
      writeFileSync(tested.file, botsFile([train]));
      await vi.waitUntil(() => isVerified(tested), soon);
      expect(tested.verifier.state()).toMatchObject({ crawlers: 1, problem: null });
    },
  );

  test("is read again when it is written or replaced", async () => {
    const tested = await open([train]);
    expect(await isVerified(tested)).toBe(true);
    writeFileSync(tested.file, botsFile([]));
    await vi.waitUntil(async () => !(await isVerified(tested)), soon);
    const beside = join(tested.folder, ".bots.json.swp");
    writeFileSync(beside, botsFile([train]));
    renameSync(beside, tested.file);
    await vi.waitUntil(() => isVerified(tested), soon);
  });

  test("that becomes invalid, or disappears, leaves the last valid state in use, and says why", async () => {
    const tested = await open([train]);
    writeFileSync(tested.file, botsFile([{ ...train, ranges: ["all"] }]));
    await vi.waitUntil(() => tested.verifier.state().problem !== null, soon);
    expect(tested.verifier.state().crawlers).toBe(1);
    expect(tested.verifier.state().problem).toContain("ranges.0");
    expect(await isVerified(tested)).toBe(true);
    unlinkSync(tested.file);
    await vi.waitUntil(() => tested.verifier.state().problem?.includes("does not exist"), soon);
    expect(await isVerified(tested)).toBe(true);
    writeFileSync(tested.file, botsFile([train]));
    await vi.waitUntil(() => tested.verifier.state().problem === null, soon);
  });

  test("is found again by polling after its folder was missing", async () => {
    const tested = await open([train]);
    rmSync(tested.folder, { recursive: true });
    await vi.waitUntil(() => tested.verifier.state().problem !== null, soon);
    mkdirSync(tested.folder);
    writeFileSync(tested.file, botsFile([train, named]));
    await vi.waitUntil(() => tested.verifier.state().crawlers === 2, soon);
  });

  test("that is a folder, or not text, is reported", async () => {
    const tested = await open([train]);
    writeFileSync(tested.file, Buffer.from([0xff, 0xfe, 0xc0]));
    await vi.waitUntil(() => tested.verifier.state().problem?.includes("UTF-8"), soon);
    unlinkSync(tested.file);
    mkdirSync(tested.file);
    await vi.waitUntil(() => tested.verifier.state().problem?.includes("not a file"), soon);
  });

  test("that is older than seven days is used, and reported as stale", async () => {
    const tested = await openTestVerifier({ bots: [train], at: new Date("2026-11-26T23:59:59Z") });
    opened.push(tested);
    expect(tested.verifier.state()).toMatchObject({ updatedAt: "2026-11-20T00:00:00Z", isStale: false });
    tested.pass(2_000);
    expect(tested.verifier.state().isStale).toBe(true);
    expect(await isVerified(tested)).toBe(true);
  });

  test("a new list clears the DNS cache", async () => {
    const tested = await open([named]);
    const given = { userAgent: "NameBot", address: "192.0.2.5" };
    dns.setHost("192.0.2.5", "a.other.example");
    expect(await verify(tested, given)).toMatchObject({ status: "unverified" });
    writeFileSync(tested.file, botsFile([{ ...named, dns_suffixes: ["other.example"] }]));
    await vi.waitUntil(async () => (await verify(tested, given)).status === "verified", soon);
  });

  test("closing is idempotent, and ends the reading of it", async () => {
    const tested = await open([train]);
    await tested.verifier.close();
    await tested.verifier.close();
    writeFileSync(tested.file, botsFile([]));
    expect(await isVerified(tested)).toBe(true);
  });
});
