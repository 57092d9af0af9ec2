import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isAppError } from "../../../shared/app-error.ts";
import { openPlatformTokens } from "../../services/api/platform-tokens.ts";
import { briefingsIn } from "../config/data-location.ts";
import { createGatewayActions } from "../actions/gateway-actions.ts";
import { openGatewaySwitch, type GatewaySwitch } from "./gateway-switch.ts";
import { openHostingSwitch } from "./hosting-switch.ts";
import { createSwitchedParts, occupyPort, type SwitchedConfig } from "./support/switched-parts.ts";

async function setUp(given: SwitchedConfig = {}) {
  const parts = await createSwitchedParts(given);
  const open = async (): Promise<GatewaySwitch> => {
    const gateway = await openGatewaySwitch(parts);
    onTestFinished(() => gateway.close());
    return gateway;
  };
  return { ...parts, open };
}

const conflict = (words: RegExp) =>
  expect.toSatisfy((error: unknown) => isAppError(error, "conflict") && words.test(error.message)) as unknown;

const freeZone = {
  id: "z1",
  hosts: ["brief.example"],
  publicOrigin: "https://brief.example",
  plan: "free",
  customMetadata: false,
  origin: { kind: "http", url: "http://127.0.0.1:9" },
  customHostnames: [],
  singleRedirects: [],
  bulkRedirects: [],
} as const;

/** Requests a path of the gateway under a host name. */
async function ask(origin: string, path: string, host?: string): Promise<{ status: number; text: string }> {
  const headers = host === undefined ? {} : { host };
  const asked = request(`${origin}${path}`, { headers, agent: false }).end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  return { status: response.statusCode!, text: Buffer.concat(pieces).toString() };
}

describe("the gateway's switch", () => {
  test("is off at first and writes no file; on, it serves the briefings at its own address", async () => {
    const { open, config, settings, api } = await setUp();
    const gateway = await open();
    const actions = createGatewayActions(gateway);
    const off = { listener: { status: "off" }, isConfigured: false, zones: [], directory: null };
    expect(await actions["gateway.read"]({})).toEqual(off);
    expect(existsSync(join(config.dataDirectory, "gateway"))).toBe(false);
    const state = await actions["gateway.switch"]({ on: true });
    const { origin } = gateway.running!;
    expect(state).toMatchObject({
      listener: { status: "on", address: origin },
      isConfigured: false,
      zones: [
        {
          id: "briefings",
          hosts: ["127.0.0.1", "localhost"],
          publicOrigin: origin,
          plan: "enterprise",
          servesBriefings: true,
          feature: { value: "off", editable: true, modifiedOn: null },
          rules: 0,
        },
      ],
      directory: { problem: null },
    });
    expect(settings.current().gateway).toBe(true);
    const folder = join(briefingsIn(config.dataDirectory), "iowa");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "index.html"), "<!doctype html><title>Iowa</title>");
    expect(await ask(origin, "/iowa/")).toEqual({ status: 200, text: "<!doctype html><title>Iowa</title>" });
    expect((await ask(origin, "/iowa/", "elsewhere.example")).status).toBe(421);
    expect(await actions["gateway.switch"]({ on: false })).toEqual(off);
    await expect(ask(origin, "/iowa/")).rejects.toThrow();
    expect(api.origin()).toBeNull();
  });

  test("is on again after a restart, with its settings", async () => {
    const { open, config } = await setUp();
    const gateway = await open();
    const first = createGatewayActions(gateway);
    await first["gateway.switch"]({ on: true });
    await first["gateway.setFeature"]({ zoneId: "briefings", on: true });
    await gateway.close();
    const next = await setUp({ directory: config.dataDirectory });
    const state = await createGatewayActions(await next.open())["gateway.read"]({});
    expect(state.zones[0]?.feature).toMatchObject({
      value: "on",
      modifiedOn: expect.stringMatching(/Z$/) as string,
    });
  });

  test("reports a taken port once, releases everything, and can be retried", async () => {
    const { port, free } = await occupyPort();
    const { open, warnings, api } = await setUp({ gateway: { port } });
    const gateway = await open();
    const problem = `Port ${port} on 127.0.0.1 is taken by another program; end that one, or choose another port: gateway.port in the file of serve --config.`;
    expect(await gateway.switch(true)).toEqual({ status: "failed", problem });
    expect(warnings).toEqual([`warn: ${problem}`]);
    expect(api.origin()).toBeNull();
    await free();
    expect(await gateway.switch(true)).toEqual({ status: "on", address: `http://127.0.0.1:${port}` });
  });

  test("fails in the same way if the API listener's port is taken, and does not listen", async () => {
    const { port } = await occupyPort();
    const mine = await occupyPort();
    await mine.free();
    const { open } = await setUp({ api: { port }, gateway: { port: mine.port } });
    const gateway = await open();
    const problem = `Port ${port} on 127.0.0.1 is taken by another program; end that one, or choose another port: repositories.port in the file of serve --config.`;
    expect(await gateway.switch(true)).toEqual({ status: "failed", problem });
    await expect(ask(`http://127.0.0.1:${mine.port}`, "/")).rejects.toThrow();
  });

  test("turns a failed start into a state if the settings asked for it, and into an error if the configuration did", async () => {
    const { port } = await occupyPort();
    const asked = await setUp({ gateway: { port } });
    await asked.settings.change({ gateway: true });
    expect((await asked.open()).listener()).toMatchObject({ status: "failed" });
    const configured = await setUp({ gateway: { port, isOn: true } });
    await expect(configured.open()).rejects.toMatchObject({ code: "address-in-use" });
    expect(configured.api.origin()).toBeNull();
  });

  test("reports once that another host uses the directory", async () => {
    const first = await setUp();
    await (await first.open()).switch(true);
    const second = await setUp({ directory: first.config.dataDirectory });
    const state = (await second.open()).listener();
    expect(state).toEqual({
      status: "failed",
      problem: expect.stringMatching(/in use by another Echotop/) as string,
    });
    expect(second.warnings).toHaveLength(1);
    expect(second.api.origin()).toBeNull();
  });

  test("runs concurrent changes one by one; the last one holds", async () => {
    const { open, settings, api } = await setUp();
    const gateway = await open();
    const states = await Promise.all([true, false, true, false].map((on) => gateway.switch(on)));
    expect(states.map(({ status }) => status)).toEqual(["on", "off", "on", "off"]);
    expect(settings.current().gateway).toBe(false);
    expect(api.origin()).toBeNull();
  });

  test("closing during a change waits for it and stops what it started", async () => {
    const { open, api } = await setUp();
    const gateway = await open();
    const switching = gateway.switch(true).catch((error: unknown) => error);
    await gateway.close();
    await switching;
    expect(gateway.running).toBeUndefined();
    expect(api.origin()).toBeNull();
    await expect(gateway.switch(true)).rejects.toEqual(conflict(/closing/));
    await gateway.close();
  });

  test("refuses to switch off what the configuration switches on", async () => {
    const { open, settings } = await setUp({ gateway: { isOn: true, zones: [freeZone] } });
    const gateway = await open();
    await expect(gateway.switch(false)).rejects.toEqual(conflict(/configuration file/));
    expect(await createGatewayActions(gateway)["gateway.read"]({})).toMatchObject({
      listener: { status: "on" },
      isConfigured: true,
      zones: [{ id: "z1", plan: "free", servesBriefings: false, feature: { editable: false } }],
    });
    expect(settings.current().gateway).toBe(false);
  });
});

describe("actions on the gateway", () => {
  test("are refused with a message while it is off", async () => {
    const actions = createGatewayActions(await (await setUp()).open());
    const off = conflict(/gateway is off/);
    await expect(actions["gateway.setFeature"]({ zoneId: "briefings", on: true })).rejects.toEqual(off);
    await expect(actions["gateway.report"]({ zoneId: "briefings", hours: 1 })).rejects.toEqual(off);
    const visitor = { userAgent: "x", address: "127.0.0.1" };
    await expect(actions["gateway.explain"]({ url: "http://127.0.0.1/", ...visitor })).rejects.toEqual(off);
  });

  test("name a missing zone, and a plan without the feature", async () => {
    const { open } = await setUp({ gateway: { isOn: true, zones: [freeZone] } });
    const actions = createGatewayActions(await open());
    await expect(actions["gateway.setFeature"]({ zoneId: "z1", on: true })).rejects.toEqual(
      conflict(/free plan/),
    );
    const missing = { code: "not-found", message: "The gateway has no zone z2." };
    await expect(actions["gateway.setFeature"]({ zoneId: "z2", on: true })).rejects.toMatchObject(missing);
    await expect(actions["gateway.report"]({ zoneId: "z2", hours: 1 })).rejects.toMatchObject(missing);
  });

  test("report a request, and explain one that was not made", async () => {
    const { open } = await setUp();
    const gateway = await open();
    const actions = createGatewayActions(gateway);
    await actions["gateway.switch"]({ on: true });
    const { origin } = gateway.running!;
    await ask(origin, "/nothing/");
    expect(await actions["gateway.report"]({ zoneId: "briefings", hours: 1 })).toMatchObject({
      requests: 1,
      redirects: 0,
    });
    const explained = await actions["gateway.explain"]({
      url: `${origin}/x`,
      userAgent: "x",
      address: "127.0.0.1",
    });
    expect(explained).toMatchObject({ zoneId: "briefings", reason: "feature_off", target: null });
    expect(explained.steps.length).toBeGreaterThan(0);
  });
});

test("hosting stops and starts while the gateway keeps the API listener open", async () => {
  const { open, api, config, settings, effects } = await setUp();
  const gateway = await open();
  const hosting = await openHostingSwitch({ config, settings, api, effects, onChange: () => undefined });
  onTestFinished(() => hosting.close());
  await hosting.switchHosting(true);
  const origin = api.origin()!;
  await gateway.switch(true);
  const tokens = await openPlatformTokens({
    directory: config.dataDirectory,
    file: "make",
    now: effects.now,
  });
  onTestFinished(() => {
    tokens.close();
  });
  const statusOf = async (path: string, permission: "artifacts:read" | "zone-settings:read") => {
    const authorization = `Bearer ${tokens.create({ permission }).plaintext}`;
    return (await fetch(`${origin}/client/v4${path}`, { headers: { authorization } })).status;
  };
  const repositories = () => statusOf("/accounts/local/artifacts/namespaces", "artifacts:read");
  const zones = () => statusOf("/zones/briefings/settings/redirects_for_ai_training", "zone-settings:read");
  expect([await repositories(), await zones()]).toEqual([200, 200]);
  await hosting.switchHosting(false);
  expect([await repositories(), await zones()]).toEqual([404, 200]);
  await hosting.switchHosting(true);
  expect(api.origin()).toBe(origin);
  await gateway.switch(false);
  expect([await repositories(), await zones()]).toEqual([200, 404]);
});
