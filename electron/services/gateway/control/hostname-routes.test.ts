// Metadata of custom hostnames (D12).
import { expect, test } from "vitest";
import { startZoneApi } from "../support/zone-api.ts";

const path = "/zones/z1/custom_hostnames/ch1";
const opted = { redirects_for_ai_training: "enabled" };

test("metadata replaces what was stored, and is read back", async () => {
  const { call, settings } = await startZoneApi();
  const empty = { id: "ch1", hostname: "docs.z1.example", custom_metadata: {} };
  expect((await call("GET", path, { permission: "zone-settings:read" })).body.result).toEqual(empty);
  const patched = await call("PATCH", path, { json: { custom_metadata: opted } });
  expect([patched.status, patched.body.result]).toEqual([200, { ...empty, custom_metadata: opted }]);
  const other = JSON.parse('{"__proto__":"x","é":""}') as object;
  expect((await call("PATCH", path, { json: { custom_metadata: other } })).status).toBe(200);
  expect(JSON.stringify(settings.metadata("z1", "ch1"))).toBe('{"__proto__":"x","é":""}');
  expect(settings.metadata("plain", "ch1")).toBeUndefined();
  await call("PATCH", path, { json: { custom_metadata: {} } });
  expect((await call("GET", path)).body.result).toEqual(empty);
});

test("4,096 bytes of JSON are accepted, one more is refused", async () => {
  const { call, settings } = await startZoneApi();
  const metadata = (byteLength: number) => ({ a: "é".repeat((byteLength - 8) / 2) });
  expect(Buffer.byteLength(JSON.stringify(metadata(4_096)))).toBe(4_096);
  expect((await call("PATCH", path, { json: { custom_metadata: metadata(4_096) } })).status).toBe(200);
  const more = { custom_metadata: { ...metadata(4_090), b: "" } };
  expect((await call("PATCH", path, { json: more })).status).toBe(400);
  expect(settings.metadata("z1", "ch1")).toEqual(metadata(4_096));
});

const refusals: readonly (readonly [string, string, unknown, number, string])[] = [
  ["an unknown hostname", "/zones/z1/custom_hostnames/none", opted, 404, "no such custom hostname"],
  ["a wildcard", "/zones/z1/custom_hostnames/wild", opted, 400, "wildcard"],
  ["a subscription without it", "/zones/plain/custom_hostnames/ch1", opted, 403, "plan business"],
  ["a value that is no text", path, { redirects_for_ai_training: true }, 400, "redirects_for_ai_training"],
  ["a list", path, ["enabled"], 400, "must be an object"],
  ["a text", path, "enabled", 400, "must be an object"],
  ["null", path, null, 400, "must be an object"],
  ["nothing", path, undefined, 400, "is missing"],
];

test("invalid metadata is refused with the reason, and nothing changes", async () => {
  const { call, settings } = await startZoneApi();
  for (const [what, address, custom_metadata, status, said] of refusals) {
    const { body, ...answer } = await call("PATCH", address, { json: { custom_metadata } });
    expect([answer.status, body.success], what).toEqual([status, false]);
    expect(body.errors[0]!.message).toContain(said);
  }
  expect(settings.revision()).toBe(0);
});
