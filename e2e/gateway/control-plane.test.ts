// Zone settings through the control plane, and their errors (D01 to D12).
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, curl, hasCurl } from "../support/curl.ts";
import { createPlatformToken } from "../support/platform-token.ts";
import { pageWith, rule, rulesPath, startGatewayHost, visitors, type GatewayHost } from "./gateway-host.ts";

const settingPath = "/settings/redirects_for_ai_training";

const otherPlans = ["free", "business", "enterprise"] as const;
const toZone = (plan: string) => ({
  id: plan,
  hosts: [`${plan}.example`],
  public_origin: `https://${plan}.example`,
  plan,
  custom_metadata: false,
  custom_hostnames: [{ id: `${plan}-hostname`, hostname: `customer.${plan}.example` }],
});

describe.skipIf(!hasCurl)(`settings of a zone${hasCurl ? "" : " (needs curl)"}`, () => {
  let host: GatewayHost;
  beforeAll(async () => {
    host = await startGatewayHost({ isOn: false, moreZones: otherPlans.map(toZone) });
    host.origin.page("/r/1", pageWith("/e/1"));
  });
  afterAll(() => host.stop());

  const zones = (): string => host.zone.slice(0, host.zone.lastIndexOf("/"));
  const get = (path: string, token = host.read) => call(`${zones()}${path}`, { token });
  const send = (method: string, path: string, json: unknown, token = host.edit) =>
    call(`${zones()}${path}`, { method, json, token });
  const patch = (json: unknown, zone = "z1") => send("PATCH", `/${zone}${settingPath}`, json);
  const put = (rules: unknown, query = "") => send("PUT", `/z1${rulesPath}${query}`, { rules });
  const readRules = async () => (await get(`/z1${rulesPath}`)).envelope.result;

  test("D01 a new zone is off and was never changed", async () => {
    const { status, envelope } = await get(`/business${settingPath}`);
    expect(status).toBe(200);
    expect(envelope).toEqual({
      result: { id: "redirects_for_ai_training", value: "off", editable: true, modified_on: null },
      success: true,
      errors: [],
      messages: [],
    });
  });

  test("D02 and D03 a change takes effect at the next request and survives a restart", async () => {
    const on = await patch({ value: "on" });
    expect([on.status, on.envelope.result]).toEqual([
      200,
      {
        id: "redirects_for_ai_training",
        value: "on",
        editable: true,
        modified_on: expect.stringMatching(/^20\d\d-.*Z$/) as string,
      },
    ]);
    expect((await host.visit("/r/1", visitors.train)).status).toBe(301);
    await host.restart();
    expect((await get(`/z1${settingPath}`)).envelope.result).toEqual(on.envelope.result);
    expect((await host.visit("/r/1", visitors.train)).status).toBe(301);
    expect((await patch({ value: "off" })).envelope.result).toMatchObject({ value: "off" });
    expect((await host.visit("/r/1", visitors.train)).status).toBe(200);
  });

  test.each([
    ["yes", '{"value":"yes"}'],
    ["true", '{"value":true}'],
    ["null", '{"value":null}'],
    ["no value", "{}"],
  ])("D04 %s is refused with code 1007 and changes nothing", async (_, body) => {
    const before = (await get(`/z1${settingPath}`)).envelope.result;
    const { status, envelope } = await patch(JSON.parse(body));
    expect([status, envelope.success, envelope.result, envelope.errors[0]?.code]).toEqual([
      400,
      false,
      null,
      1007,
    ]);
    expect((await get(`/z1${settingPath}`)).envelope.result).toEqual(before);
  });

  test("D04 truncated JSON is refused with status 400 and changes nothing", async () => {
    const before = (await get(`/z1${settingPath}`)).envelope.result;
    const answer = await curl(`${host.zone}${settingPath}`, [
      ...["-X", "PATCH", "-H", `Authorization: Bearer ${host.edit}`],
      ...["-H", "Content-Type: application/json", "--data-binary", "{"],
    ]);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ success: false, result: null });
    expect((await get(`/z1${settingPath}`)).envelope.result).toEqual(before);
  });

  test("D05 the free plan refuses the feature with an explanation; the other plans accept it", async () => {
    const refused = await patch({ value: "on" }, "free");
    expect([refused.status, refused.envelope.success]).toEqual([403, false]);
    expect(refused.envelope.errors[0]?.message).toMatch(/free/i);
    expect((await get(`/free${settingPath}`)).envelope.result).toMatchObject({
      value: "off",
      editable: false,
    });
    for (const plan of ["business", "enterprise"]) {
      expect((await patch({ value: "on" }, plan)).status).toBe(200);
      expect((await patch({ value: "off" }, plan)).status).toBe(200);
    }
  });

  test("D06 a missing token, a missing permission and an unknown zone or setting are refused", async () => {
    const none = await call(`${host.zone}${settingPath}`);
    expect([none.status, none.envelope.success]).toEqual([401, false]);
    const artifacts = await createPlatformToken(host.data, "artifacts:edit");
    expect((await get(`/z1${settingPath}`, artifacts)).status).toBe(403);
    expect((await send("PATCH", `/z1${settingPath}`, { value: "on" }, host.read)).status).toBe(403);
    expect((await get(`/nowhere${settingPath}`)).status).toBe(404);
    expect((await send("PATCH", `/nowhere${settingPath}`, { value: "on" })).status).toBe(404);
    const unknown = await get("/z1/settings/always_sunny");
    expect([unknown.status, unknown.envelope.errors[0]?.code]).toEqual([400, 1006]);
  });

  test("D07 and D08 a list of rules replaces the previous one and reads back as written", async () => {
    const first = await put([rule('http.host eq "docs.brief.example"')]);
    expect(first.status).toBe(200);
    const one = first.envelope.result as Record<string, unknown>;
    expect(one).toMatchObject({ kind: "zone", phase: "http_config_settings" });
    expect(one.rules).toEqual([
      {
        id: expect.stringMatching(/\S/) as string,
        version: "1",
        ref: expect.stringMatching(/\S/) as string,
        enabled: true,
        last_updated: expect.stringMatching(/^20\d\d-.*Z$/) as string,
        action: "set_config",
        action_parameters: { redirects_for_ai_training: true },
        expression: 'http.host eq "docs.brief.example"',
        description: "a rule of the test",
      },
    ]);
    expect(await readRules()).toEqual(one);
    const second = (await put([rule("ssl"), rule("not ssl", false)])).envelope.result as Record<
      string,
      unknown
    >;
    expect(Number(second.version)).toBe(Number(one.version) + 1);
    expect((second.rules as { expression: string }[]).map(({ expression }) => expression)).toEqual([
      "ssl",
      "not ssl",
    ]);
    expect((await put([])).envelope.result).toMatchObject({ rules: [] });
    expect(await readRules()).toMatchObject({ rules: [] });
  });

  test("D09 a dry run checks and stores nothing", async () => {
    const before = await readRules();
    const { status, envelope } = await put([rule("ssl")], "?dry_run=true");
    expect([status, envelope.success, envelope.result]).toEqual([200, true, null]);
    expect((await put([rule("ssl and")], "?dry_run=true")).status).toBe(400);
    expect(await readRules()).toEqual(before);
  });

  test.each([
    ["http.host eq"],
    ["ip.src==34"],
    ['foo eq "x"'],
    ['http.host EQ "x"'],
    ['path starts_with "/a"'],
    [`http.host eq "${"x".repeat(4_097 - 'http.host eq ""'.length)}"`],
  ])("D10 %.40s is refused with a caret under the error", async (expression) => {
    const before = await readRules();
    const { status, envelope } = await put([rule("ssl"), rule(expression)]);
    expect([status, envelope.success]).toEqual([400, false]);
    const message = envelope.errors[0]!.message;
    expect(message).toMatch(/^Filter parsing error/);
    expect(message).toMatch(/^ *\^+/m);
    expect(await readRules()).toEqual(before);
  });

  test.each([
    ["another action", { action: "block" }],
    ["no parameters", { action_parameters: {} }],
    ["a parameter that is not a boolean", { action_parameters: { redirects_for_ai_training: "true" } }],
    ["an expression that is not a string", { expression: 7 }],
  ])("D11 %s is refused and changes nothing", async (_, fault) => {
    const before = await readRules();
    expect((await put([rule("ssl"), rule("ssl", true, fault)])).status).toBe(400);
    expect(await readRules()).toEqual(before);
  });

  test("D12 metadata of a custom hostname is stored if it is valid, else refused", async () => {
    const metadata = { redirects_for_ai_training: "enabled" };
    const send12 = (id: string, custom_metadata: unknown, zone = "z1") =>
      send("PATCH", `/${zone}/custom_hostnames/${id}`, { custom_metadata });
    const taken = await send12("ch1", metadata);
    expect(taken.status).toBe(200);
    expect(taken.envelope.result).toMatchObject({ id: "ch1", custom_metadata: metadata });
    expect((await get("/z1/custom_hostnames/ch1")).envelope.result).toMatchObject({
      custom_metadata: metadata,
    });
    expect((await send12("none", metadata)).status).toBe(404);
    expect((await send12("ch1", { big: "x".repeat(4_096) })).status).toBe(400);
    expect((await send12("ch1", { redirects_for_ai_training: true })).status).toBe(400);
    expect((await send12("wild", metadata)).status).toBe(400);
    expect((await send12("business-hostname", metadata, "business")).status).toBe(403);
    expect((await get("/z1/custom_hostnames/ch1")).envelope.result).toMatchObject({
      custom_metadata: metadata,
    });
  });
});
