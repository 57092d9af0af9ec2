import { expect, test } from "vitest";
import type { GatewayState } from "../../../shared/contract/briefings.ts";
import { findGatewayOrigin } from "./gateway-origin.ts";

const state: GatewayState = {
  listener: { status: "on", address: "http://127.0.0.1:47802" },
  isConfigured: false,
  zones: [],
  directory: null,
};
const find = (outcome: Awaited<ReturnType<Parameters<typeof findGatewayOrigin>[0]["dispatch"]>>) =>
  findGatewayOrigin({ dispatch: () => Promise.resolve(outcome) });

test("the gateway's origin is its address while it is on, else undefined", async () => {
  expect(await find({ ok: state })).toBe("http://127.0.0.1:47802");
  expect(await find({ ok: { ...state, listener: { status: "off" } } })).toBeUndefined();
  expect(await find({ ok: { ...state, listener: { status: "failed", problem: "" } } })).toBeUndefined();
  expect(await find({ ok: "nonsense" })).toBeUndefined();
  expect(await find({ problem: { code: "unexpected", detail: "" } })).toBeUndefined();
});
