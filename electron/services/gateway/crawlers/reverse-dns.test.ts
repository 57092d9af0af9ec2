import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isAppError } from "../../../../shared/app-error.ts";
import { crawlerLimits } from "../gateway-limits.ts";
import { createReverseDns, isUnder, type ReverseDns, type ReverseDnsOptions } from "./reverse-dns.ts";
import { startScriptedDns, type ScriptedDns } from "../support/scripted-dns.ts";

let server: ScriptedDns;
let nowMs: number;
let opened: ReverseDns[];
beforeEach(async () => {
  server = await startScriptedDns();
  nowMs = 0;
  opened = [];
});
afterEach(async () => {
  for (const dns of opened) dns.close();
  await server.stop();
});

function openDns(options: Partial<ReverseDnsOptions> = {}): ReverseDns {
  const dns = createReverseDns({ servers: [server.server], now: () => new Date(nowMs), ...options });
  opened.push(dns);
  return dns;
}

const wanted = (name: string): boolean => isUnder(name, "crawl.example");

describe("an address", () => {
  test.each(["192.0.2.5", "2001:db8::5", "::ffff:192.0.2.5"])(
    "%s has the name that leads back to it",
    async (address) => {
      server.setHost(address, "a-5.crawl.example");
      expect(await openDns().find(address, wanted)).toEqual({
        confirmed: ["a-5.crawl.example"],
        undecided: [],
        problem: undefined,
      });
    },
  );

  test("has no name whose forward lookup leads elsewhere, or nowhere", async () => {
    server.setReverse("192.0.2.5", ["a.crawl.example", "b.crawl.example", "c.crawl.example"]);
    server.set("A", "a.crawl.example", ["192.0.2.6", "192.0.2.7"]);
    server.set("AAAA", "b.crawl.example", ["::ffff:192.0.2.5"]);
    expect(await openDns().find("192.0.2.5", wanted)).toEqual({
      confirmed: [],
      undecided: [],
      problem: undefined,
    });
  });

  test("is not confirmed by unwanted names, nor by too many", async () => {
    const many = Array.from({ length: 20 }, (_, index) => `n${index}.crawl.example`);
    server.setReverse("192.0.2.5", ["notcrawl.example", "crawl.example.evil.example", ...many]);
    await openDns().find("192.0.2.5", wanted);
    expect(server.questions()).toHaveLength(1 + 4);
  });

  test("without a reverse record has no name", async () => {
    expect(await openDns().find("192.0.2.99", wanted)).toEqual({
      confirmed: [],
      undecided: [],
      problem: undefined,
    });
  });

  test.each(["silence", "servfail", "nonsense"] as const)(
    "whose reverse lookup meets %s cannot be told, within the time",
    async (script) => {
      server.setReverse("192.0.2.5", script);
      const began = performance.now();
      const { problem } = await openDns({ timeoutMs: 200 }).find("192.0.2.5", wanted);
      expect(problem).toMatch(/did not answer/);
      expect(performance.now() - began).toBeLessThan(1_500);
    },
  );

  test.each(["silence", "servfail"] as const)(
    "whose forward lookup meets %s cannot be told",
    async (script) => {
      server.setReverse("192.0.2.5", ["a.crawl.example"]);
      server.set("A", "a.crawl.example", script);
      expect(await openDns({ timeoutMs: 200 }).find("192.0.2.5", wanted)).toMatchObject({
        confirmed: [],
        undecided: ["a.crawl.example"],
      });
    },
  );

  test("that is invalid has no names, and the DNS is not asked", async () => {
    expect(await openDns().find("not an address", wanted)).toMatchObject({
      confirmed: [],
      problem: undefined,
    });
    expect(server.questions()).toEqual([]);
  });
});

describe("the cache", () => {
  test.each(["yes", "no", "unknown"] as const)(
    "an answer of %s is kept for its time and asked for again after it",
    async (kind) => {
      if (kind === "yes") server.setHost("192.0.2.5", "a.crawl.example");
      if (kind === "unknown") server.setReverse("192.0.2.5", "servfail");
      const dns = openDns({ timeoutMs: 100 });
      await dns.find("192.0.2.5", wanted);
      const asked = server.questions().length;
      nowMs += crawlerLimits.dnsCachedMs[kind] - 1;
      await dns.find("192.0.2.5", wanted);
      expect(server.questions()).toHaveLength(asked);
      nowMs += 1;
      await dns.find("192.0.2.5", wanted);
      expect(server.questions().length).toBeGreaterThan(asked);
    },
  );

  test("is limited, and drops the oldest first", async () => {
    const dns = openDns({ mostRemembered: 2 });
    for (const last of [1, 2, 3]) await dns.find(`192.0.2.${last}`, wanted);
    expect(server.questions()).toHaveLength(3);
    await dns.find("192.0.2.3", wanted);
    expect(server.questions()).toHaveLength(3);
    await dns.find("192.0.2.1", wanted);
    expect(server.questions()).toHaveLength(4);
  });

  test("is cleared when other names are wanted, including answers in progress", async () => {
    server.setHost("192.0.2.5", "a.other.example");
    const dns = openDns();
    const before = dns.find("192.0.2.5", wanted);
    dns.forget();
    const after = dns.find("192.0.2.5", (name) => isUnder(name, "other.example"));
    expect((await before).confirmed).toEqual([]);
    expect((await after).confirmed).toEqual(["a.other.example"]);
    expect((await dns.find("192.0.2.5", wanted)).confirmed).toEqual(["a.other.example"]);
  });
});

describe("concurrent lookups", () => {
  test("share one lookup for an address", async () => {
    server.setHost("192.0.2.5", "a.crawl.example");
    const dns = openDns();
    const all = await Promise.all(Array.from({ length: 50 }, () => dns.find("192.0.2.5", wanted)));
    expect(all.every(({ confirmed }) => confirmed.length === 1)).toBe(true);
    expect(server.questions()).toHaveLength(2);
  });

  test("are refused beyond a number, without waiting and without caching", async () => {
    for (const last of [1, 2]) server.setReverse(`192.0.2.${last}`, "silence");
    server.setHost("192.0.2.3", "a.crawl.example");
    const dns = openDns({ mostAtOnce: 2, timeoutMs: 150 });
    const slow = [1, 2].map((last) => dns.find(`192.0.2.${last}`, wanted));
    expect(await dns.find("192.0.2.3", wanted)).toMatchObject({
      problem: "Too many addresses are being looked up.",
    });
    await Promise.all(slow);
    expect((await dns.find("192.0.2.3", wanted)).confirmed).toEqual(["a.crawl.example"]);
  });

  test("end at once when the resolver closes", async () => {
    server.setReverse("192.0.2.5", "silence");
    const dns = openDns({ timeoutMs: 60_000 });
    const found = dns.find("192.0.2.5", wanted);
    dns.close();
    expect((await found).problem).toBeDefined();
  });
});

test("a server that is not an address is refused at the start", () => {
  for (const name of ["dns.example", "127.0.0.1:99999", ""]) {
    expect(() => createReverseDns({ servers: [name], now: () => new Date(0) }), name).toThrow(
      expect.toSatisfy((error) => isAppError(error, "invalid-input")),
    );
  }
});

test("suffixes match whole labels", () => {
  for (const name of ["crawl.example", "a.crawl.example", "a.b.crawl.example"])
    expect(wanted(name)).toBe(true);
  for (const name of ["notcrawl.example", "crawl.example.evil.example", "example", ""])
    expect(wanted(name)).toBe(false);
});
