// Loops, redirects that take precedence, and rules that turn the feature on for some requests (D44 to D51).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { call } from "../support/curl.ts";
import {
  hasVisitors,
  pageWith,
  publicOrigin,
  rule,
  startGatewayHost,
  visitors,
  visitorsMissing,
  type GatewayHost,
} from "./gateway-host.ts";

describe.skipIf(!hasVisitors)(`loops, order and rules${visitorsMissing}`, () => {
  let host: GatewayHost;
  beforeAll(async () => {
    host = await startGatewayHost({
      zone: {
        single_redirects: [
          {
            expression: 'http.request.uri.path eq "/single"',
            target_url: "https://brief.example/elsewhere",
            status_code: 302,
          },
        ],
        bulk_redirects: [
          {
            source_url: "https://brief.example/bulk",
            target_url: "https://brief.example/elsewhere",
            status_code: 301,
          },
        ],
      },
    });
    for (const path of ["/r/1", "/R/1", "/x/r/", "/single", "/bulk"])
      host.origin.page(path, pageWith("/e/1"));
  });
  beforeEach(async () => {
    await host.setFeature("on");
    await host.putRules([]);
  });
  afterAll(() => host.stop());

  const visit = (target: string, more: Parameters<GatewayHost["visit"]>[1] = {}) =>
    host.visit(target, { ...visitors.train, ...more });
  const statusOf = async (target: string, name?: string): Promise<number> =>
    (await visit(target, name === undefined ? {} : { host: name })).status;
  const referredBy = (referer: string) => ({ args: ["-H", `Referer: ${referer}`] });

  test("D44 with two pages that name each other, a crawler that was just redirected gets the page", async () => {
    host.origin.page("/loop/a", pageWith("/loop/b"));
    host.origin.page("/loop/b", pageWith("/loop/a"));
    expect((await visit("/loop/a")).headers.location).toBe(`${publicOrigin}/loop/b`);
    const stopped = await visit("/loop/b", referredBy(`${publicOrigin}/loop/a`));
    expect([stopped.status, stopped.body.toString()]).toEqual([200, pageWith("/loop/a")]);
    expect((await visit("/loop/b")).headers.location).toBe(`${publicOrigin}/loop/a`);
  });

  test("D45 the Referer is compared without its fragment; any other Referer has no effect", async () => {
    expect((await visit("/r/1", referredBy(`${publicOrigin}/e/1#x`))).status).toBe(200);
    expect((await visit("/r/1", referredBy(`${publicOrigin}/e/2`))).status).toBe(301);
    expect((await visit("/r/1", referredBy("not an address"))).status).toBe(301);
  });

  test.each([
    ["/single", 302],
    ["/bulk", 301],
  ])("D46 %s is redirected before the origin is contacted", async (path, status) => {
    const answer = await visit(path);
    expect([answer.status, answer.headers.location]).toEqual([status, "https://brief.example/elsewhere"]);
    expect(host.origin.seen(path)).toHaveLength(0);
    const { envelope } = await call(`${host.zone}/http_requests?limit=1`, { token: host.read });
    expect(envelope.result).toMatchObject([{ path, status, redirects_for_ai_training_target: null }]);
  });

  test("D47 a rule turns the feature on for one host in a zone that is off", async () => {
    await host.setFeature("off");
    await host.putRules([rule('http.host eq "docs.brief.example"')]);
    expect(await statusOf("/r/1", "docs.brief.example")).toBe(301);
    expect(await statusOf("/r/1", "DOCS.brief.example:80")).toBe(301);
    expect(await statusOf("/r/1")).toBe(200);
  });

  test("D48 a rule turns the feature on for some paths, which are case-sensitive", async () => {
    await host.setFeature("off");
    await host.putRules([rule('starts_with(http.request.uri.path, "/r/")')]);
    expect(await statusOf("/r/1")).toBe(301);
    expect(await statusOf("/R/1")).toBe(200);
    expect(await statusOf("/x/r/")).toBe(200);
  });

  test("D49 a rule can depend on the metadata of a custom hostname", async () => {
    await host.setFeature("off");
    await host.putRules([
      rule('lookup_json_string(cf.hostname.metadata, "redirects_for_ai_training") eq "enabled"'),
    ]);
    const customer = "weather.customer.example";
    expect(await statusOf("/r/1", customer)).toBe(200);
    const set = async (value: string) =>
      (
        await call(`${host.zone}/custom_hostnames/ch1`, {
          token: host.edit,
          method: "PATCH",
          json: { custom_metadata: { redirects_for_ai_training: value } },
        })
      ).status;
    expect(await set("enabled")).toBe(200);
    expect((await visit("/r/1", { host: customer })).headers.location).toBe(`https://${customer}/e/1`);
    expect(await statusOf("/r/1", "radar.customer.example")).toBe(200);
    expect(await statusOf("/r/1")).toBe(200);
    expect(await set("disabled")).toBe(200);
    expect(await statusOf("/r/1", customer)).toBe(200);
  });

  test("D50 a rule can turn the feature off; the last match applies, and a disabled rule has no effect", async () => {
    const path = 'starts_with(http.request.uri.path, "/r/")';
    await host.putRules([rule(path, false)]);
    expect([await statusOf("/r/1"), await statusOf("/x/r/")]).toEqual([200, 301]);
    await host.putRules([rule(path, false), rule(path, true)]);
    expect(await statusOf("/r/1")).toBe(301);
    await host.putRules([rule(path, true), rule(path, false)]);
    expect(await statusOf("/r/1")).toBe(200);
    await host.putRules([rule(path, true), rule(path, false, { enabled: false })]);
    expect(await statusOf("/r/1")).toBe(301);
  });

  const yes = 'http.host eq "brief.example"';
  const no = 'http.host eq "other.example"';
  test.each([
    [`${yes} or ${no} and ${no}`, true],
    [`(${yes} or ${no}) and ${no}`, false],
    [`not ${no} and ${yes}`, true],
    [`not (${no} or ${yes})`, false],
    [`${yes} xor ${yes}`, false],
    [`${yes} xor ${no} and ${no}`, true],
    [`${yes} && !(${no}) || ${no}`, true],
    [`${yes} ^^ ${no}`, true],
    ['http.host in {"x.example" "brief.example"}', true],
    ['http.host in {"x.example"}', false],
    ['http.host ne "brief.example"', false],
    ['http.request.uri.path contains "/1"', true],
    ['lower(http.request.uri.path) eq "/r/1"', true],
    ['http.request.uri.path == r"/r/1"', true],
    ['http.host wildcard "*.EXAMPLE"', true],
    ['http.host strict wildcard "*.EXAMPLE"', false],
    ["ip.src in {127.0.0.0/30}", true],
    ['cf.verified_bot_category eq "AI Crawler" and cf.client.bot', true],
    ["ssl", true],
  ])("D51 the expression %s is %s", async (expression, expected) => {
    await host.putRules([rule(expression)]);
    await host.setFeature("off");
    expect((await statusOf("/r/1")) === 301).toBe(expected);
  });
});
