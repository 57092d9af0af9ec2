// Decisions before the origin is asked, with fakes of everything that they depend on.
import { describe, expect, test } from "vitest";
import type { Log } from "../../../platform/effects.ts";
import type { ConfigRule } from "../settings/zone-settings.ts";
import type { Zone } from "../zone.ts";
import { createFeature } from "./feature.ts";
import { Inquiry } from "./inquiry.ts";
import { makePlan, type Plan } from "./delivery-plan.ts";
import { createSites } from "./site.ts";
import type { ZoneRedirects } from "../redirects/create-redirects.ts";
import { compileExpression } from "../rules/compile-expression.ts";
import {
  agents,
  createTestSettings,
  testCrawlers,
  testRule,
  testZone,
  type TestSettings,
} from "../support/test-gateway.ts";

interface Asked {
  readonly agent?: string;
  readonly method?: string;
  readonly target?: string;
  readonly host?: string;
}

function createDesk(more: Partial<Zone> = {}, redirects?: ZoneRedirects) {
  const state: TestSettings = { value: "on", rules: [], revision: 1 };
  const settings = createTestSettings(state);
  const said: string[] = [];
  const report: Log = (_, message) => void said.push(message);
  const compiled: string[] = [];
  const compile = (text: string) => {
    compiled.push(text);
    return compileExpression(text);
  };
  const feature = createFeature({ settings, compile, report });
  const sites = createSites([testZone({ kind: "http", url: "http://127.0.0.1:1" }, more)]);
  let verified = 0;
  const crawlers = {
    ...testCrawlers,
    verify: (visitor: { readonly userAgent: string }) => {
      verified += 1;
      return testCrawlers.verify(visitor);
    },
  };
  const inquire = ({ agent = "", method = "GET", target = "/r/1", host = "brief.example" }: Asked): Inquiry =>
    new Inquiry(
      { site: sites.find(host)!, method, target, headers: { "user-agent": agent }, address: "192.0.2.1" },
      { crawlers, settings },
    );
  const plan = (asked: Asked = {}): Plan | Promise<Plan> => makePlan(inquire(asked), { redirects, feature });
  const reasonOf = async (asked: Asked = {}): Promise<string> => {
    const made = await plan(asked);
    return made.kind === "look" ? "look" : made.reason;
  };
  const set = (value: "on" | "off", ...rules: readonly ConfigRule[]): void => {
    Object.assign(state, { value, rules, revision: state.revision + 1 });
  };
  return { plan, reasonOf, set, inquire, said, compiled, verified: () => verified };
}

describe("pages are inspected", () => {
  test("only for verified training crawlers", async () => {
    const { reasonOf } = createDesk();
    expect(await reasonOf({ agent: agents.train })).toBe("look");
    expect(await reasonOf({ agent: agents.search })).toBe("bot_category");
    expect(await reasonOf({ agent: agents.unsure })).toBe("bot_unknown");
    expect(await reasonOf({ agent: "Mozilla/5.0" })).toBe("bot_unverified");
    expect(await reasonOf({ agent: agents.train, method: "HEAD" })).toBe("method");
  });

  test("without delay for browsers, and without needless verification", async () => {
    const { plan, reasonOf, set, verified } = createDesk();
    expect(plan({ agent: "Mozilla/5.0" })).not.toBeInstanceOf(Promise);
    set("off");
    await reasonOf({ agent: agents.train });
    expect(verified()).toBe(0);
  });

  test("for nobody on the free plan, whatever the rules say", async () => {
    const { reasonOf, set } = createDesk({ plan: "free" });
    set("on", testRule("/", true));
    expect(await reasonOf({ agent: agents.train })).toBe("feature_off");
  });
});

describe("rules", () => {
  const train = { agent: agents.train };

  test("the last enabled match decides, otherwise the setting", async () => {
    const { reasonOf, set } = createDesk();
    set("off", testRule("/r/", true));
    expect([await reasonOf(train), await reasonOf({ ...train, target: "/x" })]).toEqual([
      "look",
      "feature_off",
    ]);
    set("on", testRule("/r/", true), testRule("/r/1", false));
    expect(await reasonOf(train)).toBe("feature_off");
    set("on", testRule("/r/", true), testRule("/r/1", false, { enabled: false }));
    expect(await reasonOf(train)).toBe("look");
  });

  test("are compiled once per revision of the settings, and one that does not compile matches nothing", async () => {
    const { reasonOf, set, said, compiled } = createDesk();
    set("off", testRule("/r/", true), testRule("fault", false));
    for (let count = 0; count < 3; count += 1) expect(await reasonOf(train)).toBe("look");
    expect([compiled, said]).toEqual([
      ['starts_with(http.request.uri.path, "/r/")', "fault"],
      ["A configuration rule does not compile and matches nothing."],
    ]);
    set("off");
    expect(await reasonOf(train)).toBe("feature_off");
  });

  test("that read the visitor's verdict wait for it, and it is determined once", async () => {
    const { reasonOf, set, verified } = createDesk();
    set("off", testRule("bot", true));
    expect([await reasonOf(train), verified()]).toEqual(["look", 1]);
    expect(await reasonOf({ agent: "Mozilla/5.0" })).toBe("feature_off");
  });
});

describe("redirects of the zone", () => {
  const found = { reason: "bulk_redirect", location: "https://x.example/", status: 308 } as const;

  test("run before everything else", () => {
    const urls: string[] = [];
    const find: ZoneRedirects["find"] = (_, url) => {
      urls.push(url);
      return found;
    };
    const { plan, verified } = createDesk({}, { asksForBots: false, find });
    const expected = {
      kind: "redirect",
      reason: "bulk_redirect",
      location: "https://x.example/",
      status: 308,
    };
    expect(plan({ agent: agents.train, target: "/a?b" })).toEqual(expected);
    expect([urls, verified()]).toEqual([["https://brief.example/a?b"], 0]);
  });

  test("can read the visitor's verdict", async () => {
    const find: ZoneRedirects["find"] = ({ verifiedBotCategory }) =>
      verifiedBotCategory === "AI Search" ? { ...found, reason: "single_redirect" as const } : undefined;
    const { reasonOf } = createDesk({}, { asksForBots: true, find });
    expect(await reasonOf({ agent: agents.search })).toBe("single_redirect");
    expect(await reasonOf({ agent: agents.train })).toBe("look");
  });
});

test("a request's fields describe its public address", () => {
  const { inquire } = createDesk();
  const inquiry = inquire({ target: "/a%2f?b=1?c", host: "Weather.customer.example:9", agent: "x" });
  expect(inquiry).toMatchObject({
    host: "weather.customer.example",
    path: "/a%2f",
    query: "b=1?c",
    url: "https://weather.customer.example/a%2f?b=1?c",
    isTls: true,
    userAgent: "x",
    referer: "",
    hostnameMetadata: '{"plan":"gold"}',
    verifiedBotCategory: "",
    isVerifiedBot: false,
  });
  expect([inquire({ target: "/a" }).query, inquire({}).hostnameMetadata]).toEqual(["", ""]);
});

test("metadata is empty if the subscription does not include it", () => {
  const { inquire } = createDesk({ customMetadata: false });
  expect(inquire({ host: "weather.customer.example" }).hostnameMetadata).toBe("");
});
