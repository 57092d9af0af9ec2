// Which visitors are redirected to the canonical page and which get the origin's page (D13 to D24).
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { call } from "../support/curl.ts";
import {
  bots,
  hasVisitors,
  pageWith,
  publicOrigin,
  startGatewayHost,
  visitors,
  visitorsMissing,
  type GatewayHost,
} from "./gateway-host.ts";
import { expectUnchangedFor } from "./unchanged.ts";

describe.skipIf(!hasVisitors)(`visitors${visitorsMissing}`, () => {
  let host: GatewayHost;
  beforeAll(async () => {
    host = await startGatewayHost({ gateway: { trusted_proxies: ["127.0.0.9/32", "10.1.0.0/16"] } });
    host.origin.page("/r/1", pageWith("/e/1"), { ETag: '"origin"', "Set-Cookie": "id=1", "X-Own": "yes" });
  });
  beforeEach(() => {
    host.writeBots(bots);
  });
  afterAll(() => host.stop());

  test("D13 a verified training crawler gets an uncacheable redirect to the canonical page", async () => {
    const before = host.origin.seen("/r/1").length;
    const { status, headers } = await host.visit("/r/1", visitors.train);
    expect([status, headers.location]).toEqual([301, `${publicOrigin}/e/1`]);
    expect(headers["cache-control"]).toBe("private, no-store");
    for (const name of ["set-cookie", "etag", "x-own"]) expect(headers).not.toHaveProperty(name);
    expect(host.origin.seen("/r/1")).toHaveLength(before + 1);
  });

  test.each([
    ["D14", "browser"],
    ["D15", "index"],
    ["D16", "assist"],
    ["D17", "search"],
  ] as const)("%s the %s visitor gets the page", async (_, name) => {
    await expectUnchangedFor(host, "/r/1", visitors[name]);
  });

  test("D18 and D19 neither the name nor the address is proof without the other", async () => {
    await expectUnchangedFor(host, "/r/1", { ...visitors.train, address: "127.0.0.1" });
    await expectUnchangedFor(host, "/r/1", { ...visitors.browser, address: visitors.train.address });
  });

  test("D20 only a trusted proxy may name the visitor's address", async () => {
    const { agent } = visitors.train;
    const saying = (addresses: string) => ({ agent, args: ["-H", `X-Forwarded-For: ${addresses}`] });
    await expectUnchangedFor(host, "/r/1", { ...saying("127.0.0.2"), address: "127.0.0.8" });
    const through = async (addresses: string): Promise<number> =>
      (await host.visit("/r/1", { ...saying(addresses), address: "127.0.0.9" })).status;
    expect(await through("127.0.0.2")).toBe(301);
    expect(await through("203.0.113.7, 127.0.0.2")).toBe(301);
    expect(await through("127.0.0.2, 10.1.2.3")).toBe(301);
    expect(await through("127.0.0.2, 203.0.113.7")).toBe(200);
    expect(await through("127.0.0.2, nonsense")).toBe(200);
  });

  test.each(["Google-Extended", "Applebot-Extended", "Mozilla/5.0 (compatible; Google-Extended/1.0)"])(
    "D23 %s is a robots.txt token, not a crawler's name",
    async (agent) => {
      await expectUnchangedFor(host, "/r/1", { address: visitors.train.address, agent });
    },
  );

  test("D23 a crawler's name inside a longer word does not count", async () => {
    for (const agent of ["NotTrainBot/1.0", "TrainBotter/1.0", "Train Bot/1.0"]) {
      await expectUnchangedFor(host, "/r/1", { address: visitors.train.address, agent });
    }
    for (const agent of ["trainbot/9", "X (TRAINBOT)"]) {
      expect((await host.visit("/r/1", { address: visitors.train.address, agent })).status).toBe(301);
    }
  });

  test("D24 with an empty directory, no crawler is verified, and the log records that", async () => {
    host.writeBots([]);
    await vi.waitUntil(async () => (await host.visit("/r/1", visitors.train)).status === 200, {
      timeout: 10_000,
    });
    const { envelope } = await call(`${host.zone}/http_requests?limit=1`, { token: host.read });
    expect(envelope.result).toMatchObject([{ reason: "bot_unverified", verified_bot_category: null }]);
    host.writeBots(bots);
    await vi.waitUntil(async () => (await host.visit("/r/1", visitors.train)).status === 301, {
      timeout: 10_000,
    });
  });
});
