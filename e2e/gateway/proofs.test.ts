// Crawlers that prove their identity by DNS or by a signature (D21, D22).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startScriptedDns, type ScriptedDns } from "../../electron/services/gateway/support/scripted-dns.ts";
import {
  createTestSigner,
  type SignedRequest,
  type TestSigner,
} from "../../electron/services/gateway/support/test-signer.ts";
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

const [trainBot] = bots;

describe.skipIf(!hasVisitors)(`the proof of a crawler${visitorsMissing}`, () => {
  let host: GatewayHost;
  let dns: ScriptedDns;
  let signer: TestSigner;
  let stranger: TestSigner;
  beforeAll(async () => {
    dns = await startScriptedDns();
    signer = await createTestSigner("https://train.example");
    stranger = await createTestSigner("https://train.example");
    const named = { ...trainBot!, name: "NamedBot", user_agents: ["NamedBot"], ranges: [] };
    host = await startGatewayHost({
      gateway: { dns_servers: [dns.server] },
      bots: [
        { ...named, dns_suffixes: ["crawl.train.example"] },
        {
          ...named,
          name: "SignedBot",
          user_agents: ["SignedBot"],
          signature_agents: [signer.signatureAgent],
        },
      ],
    });
    host.origin.page("/r/1", pageWith("/e/1"));
  });
  beforeEach(() => {
    dns.clear();
  });
  afterAll(async () => {
    await host.stop();
    await dns.stop();
  });

  /** Visits once per address, because DNS answers are cached. */
  const named = async (address: string): Promise<number> =>
    (await host.visit("/r/1", { address, agent: "NamedBot/1.0" })).status;

  test("D21 a DNS name that resolves back to the address is proof", async () => {
    dns.setHost("127.0.1.1", "a1.crawl.train.example");
    expect(await named("127.0.1.1")).toBe(301);
  });

  test("D21 a name that resolves elsewhere, another crawler's name and a name with a similar ending are not proof", async () => {
    dns.setReverse("127.0.1.2", ["a2.crawl.train.example"]);
    dns.set("A", "a2.crawl.train.example", ["127.0.1.99"]);
    expect(await named("127.0.1.2")).toBe(200);
    dns.setHost("127.0.1.3", "a3.other.example");
    expect(await named("127.0.1.3")).toBe(200);
    dns.setHost("127.0.1.4", "evilcrawl.train.example");
    expect(await named("127.0.1.4")).toBe(200);
  });

  test("D21 a silent DNS server delays a request by at most half a second", async () => {
    dns.setReverse("127.0.1.5", "silence");
    const startedMs = performance.now();
    expect(await named("127.0.1.5")).toBe(200);
    // Includes curl's startup on a busy machine; a resolver usually waits five seconds or more.
    expect(performance.now() - startedMs).toBeLessThan(2_500);
  });

  const url = `${publicOrigin}/r/1`;
  const signed = async (request: Partial<SignedRequest>, by = signer): Promise<number> => {
    const headers = await by.sign({ url, ...request });
    const args = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
    return (await host.visit("/r/1", { ...visitors.browser, args })).status;
  };

  test("D22 a valid signature is proof from any address and with any name", async () => {
    expect(await signed({})).toBe(301);
  });

  test.each<[string, Partial<SignedRequest>]>([
    [
      "that has expired",
      { created: new Date(Date.now() - 7_200_000), expires: new Date(Date.now() - 3_600_000) },
    ],
    ["for another authority", { url: "https://other.example/r/1" }],
    ["with an unknown key id", { keyId: "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U" }],
    ["that does not cover the agent", { components: ["@authority"] }],
    ["with an unquoted agent", { agentHeader: "https://train.example" }],
  ])("D22 a signature %s is not proof", async (_, request) => {
    expect(await signed(request)).toBe(200);
  });

  test("D22 a stranger's signature and a repeated one are not proof", async () => {
    expect(await signed({}, stranger)).toBe(200);
    const nonce = Buffer.alloc(64, 7).toString("base64");
    expect(await signed({ nonce })).toBe(301);
    expect(await signed({ nonce })).toBe(200);
  });
});
