import { expect, test, vi } from "vitest";
import { AppError } from "../../../shared/app-error.ts";
import { createDispatch } from "../../../shared/actions/dispatch.ts";
import type { GatewayActionName } from "../../../shared/contract/action-names.ts";
import type { GatewayState } from "../../../shared/contract/briefings.ts";
import { createGatewayActions, type GatewayParts } from "./gateway-actions.ts";

const off: GatewayState = { listener: { status: "off" }, isConfigured: false, zones: [], directory: null };

function setUp(difference: Partial<GatewayParts> = {}) {
  const parts: GatewayParts = {
    readGateway: vi.fn(() => Promise.resolve(off)),
    switchGateway: vi.fn((on: boolean) =>
      Promise.resolve<GatewayState>({
        ...off,
        listener: on ? { status: "failed", problem: "The port is taken." } : { status: "off" },
      }),
    ),
    setFeature: vi.fn(() => Promise.resolve()),
    reportGateway: () => Promise.resolve({ requests: 1, redirects: 0, rows: [], reasons: [] }),
    explain: () =>
      Promise.resolve({ zoneId: "z1", reason: "feature_off", status: 200, target: null, steps: [] }),
    ...difference,
  };
  const dispatch = createDispatch<GatewayActionName>({
    handlers: createGatewayActions(parts),
    report: vi.fn(),
  });
  return { parts, dispatch };
}

test("the state is read, and a switch that failed is a state and no problem", async () => {
  const { dispatch } = setUp();
  expect(await dispatch("gateway.read", {})).toEqual({ ok: off });
  expect(await dispatch("gateway.switch", { on: true })).toMatchObject({
    ok: { listener: { status: "failed", problem: "The port is taken." } },
  });
});

test("setting the feature answers with the state after it", async () => {
  const { dispatch, parts } = setUp();
  expect(await dispatch("gateway.setFeature", { zoneId: "z1", on: true })).toEqual({ ok: off });
  expect(parts.setFeature).toHaveBeenCalledExactlyOnceWith({ zoneId: "z1", on: true });
});

test("what cannot be set is a problem in words, and nothing is read", async () => {
  const refusal = new AppError("conflict", "The gateway is off; switch it on first.");
  const { dispatch, parts } = setUp({ setFeature: () => Promise.reject(refusal) });
  expect(await dispatch("gateway.setFeature", { zoneId: "z1", on: true })).toEqual({
    problem: { code: "conflict", detail: "The gateway is off; switch it on first." },
  });
  expect(parts.readGateway).not.toHaveBeenCalled();
});

test.each<[GatewayActionName, unknown]>([
  ["gateway.switch", { on: "yes" }],
  ["gateway.setFeature", { zoneId: "" }],
  ["gateway.report", { zoneId: "z1", hours: 0 }],
  ["gateway.report", { zoneId: "z1", hours: 1, minutes: 1 }],
  ["gateway.explain", { url: "ftp://a/", userAgent: "x", address: "127.0.0.1" }],
  ["gateway.explain", { url: "http://a/", userAgent: "x", address: "localhost" }],
])("%s of %j is refused before it reaches the gateway", async (name, input) => {
  const { dispatch } = setUp();
  expect(await dispatch(name, input)).toMatchObject({ problem: { code: "invalid-input" } });
});
