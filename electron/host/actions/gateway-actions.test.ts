import { expect, onTestFinished, test, vi } from "vitest";
import { createDispatch } from "../../../shared/actions/dispatch.ts";
import type { GatewayActionName } from "../../../shared/contract/action-names.ts";
import { openGatewaySwitch } from "../start/gateway-switch.ts";
import { createSwitchedParts, occupyPort, type SwitchedConfig } from "../start/support/switched-parts.ts";
import { createGatewayActions } from "./gateway-actions.ts";

const off = { listener: { status: "off" }, isConfigured: false, zones: [], directory: null };

async function setUp(config: SwitchedConfig = {}) {
  const gateway = await openGatewaySwitch(await createSwitchedParts(config));
  onTestFinished(() => gateway.close());
  return createDispatch<GatewayActionName>({ handlers: createGatewayActions(gateway), report: vi.fn() });
}

test("a switch that fails returns a state, not a problem", async () => {
  const { port } = await occupyPort();
  const dispatch = await setUp({ gateway: { port } });
  expect(await dispatch("gateway.read", {})).toEqual({ ok: off });
  expect(await dispatch("gateway.switch", { on: true })).toMatchObject({
    ok: { listener: { status: "failed", problem: expect.stringContaining(`Port ${port}`) as string } },
  });
});

test("setting the feature returns the new state", async () => {
  const dispatch = await setUp();
  await dispatch("gateway.switch", { on: true });
  expect(await dispatch("gateway.setFeature", { zoneId: "briefings", on: true })).toMatchObject({
    ok: { zones: [{ id: "briefings", feature: { value: "on" } }] },
  });
});

test("setting the feature of a gateway that is off fails with a message", async () => {
  const dispatch = await setUp();
  expect(await dispatch("gateway.setFeature", { zoneId: "briefings", on: true })).toEqual({
    problem: { code: "conflict", detail: "The gateway is off; switch it on first." },
  });
});

test.each<[GatewayActionName, unknown]>([
  ["gateway.switch", { on: "yes" }],
  ["gateway.setFeature", { zoneId: "" }],
  ["gateway.report", { zoneId: "z1", hours: 0 }],
  ["gateway.report", { zoneId: "z1", hours: 1, minutes: 1 }],
  ["gateway.explain", { url: "ftp://a/", userAgent: "x", address: "127.0.0.1" }],
  ["gateway.explain", { url: "http://a/", userAgent: "x", address: "localhost" }],
])("%s of %j is refused", async (name, input) => {
  const dispatch = await setUp();
  expect(await dispatch(name, input)).toMatchObject({ problem: { code: "invalid-input" } });
});
