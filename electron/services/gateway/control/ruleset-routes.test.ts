// The list of configuration rules, as scripts write and read it (D07 to D11).
import { expect, test } from "vitest";
import { startZoneApi, type ZoneApi } from "../support/zone-api.ts";

const path = "/zones/z1/rulesets/phases/http_config_settings/entrypoint";

const rule = (expression: unknown, rest: object = {}): object => ({
  action: "set_config",
  action_parameters: { redirects_for_ai_training: true },
  expression,
  description: "a rule",
  ...rest,
});

interface Ruleset {
  readonly version: string;
  readonly rules: readonly Record<string, unknown>[];
}

async function put(api: ZoneApi, rules: unknown, query = "") {
  const { status, body } = await api.call("PUT", path + query, { json: { rules } });
  return { status, body, ruleset: body.result as Ruleset };
}

test("a list that was never written exists, without rules", async () => {
  const { call } = await startZoneApi();
  const { status, body } = await call("GET", path, { permission: "zone-settings:read" });
  expect(status).toBe(200);
  expect(body.result).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    ...{ name: "default", description: "", kind: "zone", phase: "http_config_settings" },
    ...{ version: "0", last_updated: null, rules: [] },
  });
});

test("a list is written, read back and replaced; one that names a rule keeps it", async () => {
  const api = await startZoneApi();
  const first = await put(api, [rule('http.host eq "docs.brief.example"'), rule("ssl", { enabled: false })]);
  expect(first.status).toBe(200);
  const [one, two] = first.ruleset.rules;
  expect(one).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    ...{ version: "1", ref: one!.id, enabled: true, action: "set_config" },
    ...{ action_parameters: { redirects_for_ai_training: true }, description: "a rule" },
    expression: 'http.host eq "docs.brief.example"',
    last_updated: expect.stringMatching(/Z$/) as string,
  });
  expect(two).toMatchObject({ enabled: false });
  expect(first.ruleset.version).toBe("1");
  expect((await api.call("GET", path)).body.result).toEqual(first.ruleset);
  // Like a script that reads, changes and writes back.
  const second = await put(api, [two, { ...one, description: null }]);
  expect(second.ruleset.version).toBe("2");
  expect(second.ruleset.rules[0]).toEqual(two);
  expect(second.ruleset.rules[1]).toMatchObject({ id: one!.id, version: "2", description: "" });
  expect((await put(api, [])).ruleset.rules).toEqual([]);
  expect(api.settings.ruleset("z1")).toMatchObject({ version: "3", rules: [] });
  expect(api.settings.ruleset("free").version).toBe("0");
});

test("a dry run checks like a write, and stores nothing", async () => {
  const api = await startZoneApi();
  const dry = await put(api, [rule("ssl")], "?dry_run=true");
  expect([dry.status, dry.body]).toMatchObject([200, { result: null, success: true }]);
  for (const rules of [[rule("ssl and")], [rule("ssl", { ref: "a" }), rule("ssl", { ref: "a" })]]) {
    expect((await put(api, rules, "?dry_run=true")).status).toBe(400);
  }
  const odd = await put(api, [rule("ssl")], "?dry_run=yes");
  expect([odd.status, odd.body.errors[0]?.message]).toEqual([
    400,
    "The parameter dry_run must be one of true, false.",
  ]);
  expect((await put(api, [rule("ssl")], "?dry_run=true&dry_run=true")).status).toBe(400);
  expect(api.settings.revision()).toBe(0);
  expect((await put(api, [rule("ssl")], "?dry_run=false")).ruleset.version).toBe("1");
});

test("an expression's fault has its own message, with the caret below", async () => {
  const api = await startZoneApi();
  const { status, body } = await put(api, [rule("ssl"), rule("http.host eq 7")]);
  expect(status).toBe(400);
  const [head, shown, caret] = body.errors[0]!.message.split("\n");
  expect(head).toMatch(/^Filter parsing error \(1:\d+\):$/);
  expect(shown).toBe("http.host eq 7");
  expect(caret).toMatch(/^ {13}\^/);
  expect(api.settings.revision()).toBe(0);
});

const faults: readonly (readonly [string, unknown])[] = [
  ["field rules.0.action must be set_config", [rule("ssl", { action: "block" })]],
  ["field rules.0.action is missing", [rule("ssl", { action: undefined })]],
  ["field rules.0.action_parameters is missing", [rule("ssl", { action_parameters: undefined })]],
  [
    "field rules.0.action_parameters.redirects_for_ai_training is missing",
    [rule("ssl", { action_parameters: {} })],
  ],
  [
    "field rules.1.action_parameters.redirects_for_ai_training must be true or false",
    [rule("ssl"), rule("ssl", { action_parameters: { redirects_for_ai_training: "true" } })],
  ],
  [
    "field rules.0.action_parameters.rocket_loader cannot be set here",
    [rule("ssl", { action_parameters: { redirects_for_ai_training: true, rocket_loader: true } })],
  ],
  ["field rules.0.expression must be a text", [rule(7)]],
  ["field rules.0.enabled must be true or false", [rule("ssl", { enabled: 1 })]],
  ["field rules must be a list", { 0: rule("ssl") }],
  ["field rules is missing", undefined],
  ["field rules must have at most 100 rules", Array.from({ length: 101 }, () => rule("ssl"))],
  ["Two rules have the same ref", [rule("ssl", { ref: "a" }), rule("not ssl", { ref: "a" })]],
];

test("an invalid field is refused by its name, and nothing changes", async () => {
  const api = await startZoneApi();
  expect((await put(api, [rule("ssl", { ref: "kept" })])).status).toBe(200);
  for (const [said, rules] of faults) {
    const { status, body } = await put(api, rules);
    expect([status, body.errors[0]?.code], said).toEqual([400, 10_100]);
    expect(body.errors[0]!.message).toContain(said);
  }
  expect(api.settings.ruleset("z1")).toMatchObject({ version: "1", rules: [{ ref: "kept" }] });
});
