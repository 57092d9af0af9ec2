// The zone setting, as scripts see it (D01 to D06), and its permissions.
import { expect, test } from "vitest";
import { startZoneApi } from "../support/zone-api.ts";

const path = "/zones/z1/settings/redirects_for_ai_training";

test("a new zone is off and was never changed; on and off take effect at once", async () => {
  const { call, settings, api } = await startZoneApi();
  const fresh = { id: "redirects_for_ai_training", value: "off", editable: true, modified_on: null };
  expect(await call("GET", path, { permission: "zone-settings:read" })).toEqual({
    status: 200,
    body: { result: fresh, success: true, errors: [], messages: [] },
  });
  const { id, plaintext } = api.tokens.create({ permission: "zone-settings:edit" });
  const on = await fetch(`${api.origin}/client/v4${path}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${plaintext}`, "content-type": "application/json" },
    body: '{"value":"on"}',
  });
  expect(on.status).toBe(200);
  const { result } = (await on.json()) as { result: { modified_on: string } };
  expect(result).toMatchObject({ value: "on", editable: true });
  expect(settings.setting("z1")).toEqual({ value: "on", modifiedOn: result.modified_on });
  expect(await settings.audit("z1", 1)).toMatchObject([{ actor: id, before: '"off"', after: '"on"' }]);
  expect((await call("PATCH", path, { json: { value: "off" } })).body.result).toMatchObject({ value: "off" });
  expect(settings.setting("z1").value).toBe("off");
});

test("any other value is refused as 1007 and changes nothing", async () => {
  const { call, settings } = await startZoneApi();
  for (const json of [{ value: "yes" }, { value: true }, { value: null }, { value: ["on"] }, {}, undefined]) {
    const { status, body } = await call("PATCH", path, { json });
    expect([status, body.success, body.result, body.errors[0]?.code]).toEqual([400, false, null, 1_007]);
  }
  expect(settings.revision()).toBe(0);
});

test("the free plan does not include it, and says so for any value", async () => {
  const { call, settings } = await startZoneApi();
  const free = "/zones/free/settings/redirects_for_ai_training";
  for (const value of ["on", "off", 7]) {
    const { status, body } = await call("PATCH", free, { json: { value } });
    expect([status, body.errors[0]?.code]).toEqual([403, 10_300]);
    expect(body.errors[0]?.message).toContain("this zone has the plan free");
  }
  expect((await call("GET", free)).body.result).toMatchObject({ value: "off", editable: false });
  expect(settings.revision()).toBe(0);
});

test("wrong tokens, permissions, zones and names have different errors", async () => {
  const { call } = await startZoneApi();
  const codeOf = async (...asked: Parameters<typeof call>): Promise<unknown> => {
    const { status, body } = await call(...asked);
    return [status, body.errors[0]?.code];
  };
  expect(await codeOf("GET", path, { permission: "none" })).toEqual([401, 10_000]);
  expect(await codeOf("GET", path, { permission: "artifacts:edit" })).toEqual([403, 10_000]);
  const on = { value: "on" };
  expect(await codeOf("PATCH", path, { json: on, permission: "zone-settings:read" })).toEqual([403, 10_000]);
  expect(await codeOf("GET", "/zones/none/settings/x")).toEqual([404, 10_200]);
  expect(await codeOf("PATCH", "/zones/__proto__/settings/redirects_for_ai_training", { json: on })).toEqual([
    404, 10_200,
  ]);
  for (const name of ["ssl", "constructor", "REDIRECTS_FOR_AI_TRAINING", "%20"]) {
    expect(await codeOf("GET", `/zones/z1/settings/${name}`)).toEqual([400, 1_006]);
    expect(await codeOf("PATCH", `/zones/z1/settings/${name}`, { json: on })).toEqual([400, 1_006]);
  }
});
