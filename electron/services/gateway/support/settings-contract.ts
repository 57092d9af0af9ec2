// Tests for the settings of every engine: they survive restarts, a refused change has no effect, and the audit trail
// says who changed them.
import { describe, expect, onTestFinished, test } from "vitest";
import { controlLimits } from "../gateway-limits.ts";
import type { ConfigRuleDraft, ZoneSettings } from "../settings/zone-settings.ts";

export interface SettingsPlace {
  /** Opens the settings on a clock that advances by a second with each change, from 2026-11-20T00:00:01Z. */
  readonly open: () => Promise<ZoneSettings>;
  /** Lets the store refuse changes from now on. */
  readonly refuseChanges: () => Promise<void>;
}

export function ruleDraft(expression: string, rest: Partial<ConfigRuleDraft> = {}): ConfigRuleDraft {
  return { expression, description: "", enabled: true, redirectsForAiTraining: true, ...rest };
}

export function settingsContract(name: string, createPlace: () => Promise<SettingsPlace>): void {
  const openAt = async (place: SettingsPlace): Promise<ZoneSettings> => {
    const settings = await place.open();
    onTestFinished(() => settings.close());
    return settings;
  };
  const open = async (): Promise<ZoneSettings> => openAt(await createPlace());

  describe(`settings of zones: ${name}`, () => {
    test("nothing is set at first, and each zone has its own settings", async () => {
      const settings = await open();
      expect(settings.setting("z1")).toEqual({ value: "off", modifiedOn: null });
      expect(settings.ruleset("z1")).toMatchObject({ version: "0", lastUpdated: null, rules: [] });
      expect(settings.ruleset("z1").id).toMatch(/^[0-9a-f]{32}$/);
      expect(settings.ruleset("z1").id).not.toBe(settings.ruleset("z2").id);
      expect(settings.metadata("z1", "ch1")).toBeUndefined();
      expect(settings.revision()).toBe(0);
      const set = await settings.setFeature("z1", "on", "viewer");
      expect(set).toEqual({ value: "on", modifiedOn: "2026-11-20T00:00:01.000Z" });
      expect(settings.setting("z1")).toEqual(set);
      expect(settings.setting("z2").value).toBe("off");
      expect(settings.revision()).toBe(1);
      expect(settings.isCurrent()).toBe(true);
    });

    test("a restart changes no setting", async () => {
      const place = await createPlace();
      const before = await openAt(place);
      await before.setFeature("z1", "on", "token1");
      const rules = [ruleDraft("ssl"), ruleDraft("not ssl", { ref: "mine", enabled: false })];
      await before.replaceRules("z1", rules, "token1");
      await before.setMetadata("z1", "ch1", { redirects_for_ai_training: "enabled", 'q"': "é\0" }, "token2");
      const state = async (settings: ZoneSettings): Promise<unknown> => [
        settings.setting("z1"),
        settings.ruleset("z1"),
        settings.metadata("z1", "ch1"),
        await settings.audit("z1", 10),
      ];
      const expected = await state(before);
      await before.close();
      await before.close();
      expect(await state(await openAt(place))).toEqual(expected);
    });

    test("a rule with a known name keeps its id, and its version if it does not change", async () => {
      const settings = await open();
      const first = await settings.replaceRules(
        "z1",
        [ruleDraft("ssl"), ruleDraft("not ssl", { ref: "b" })],
        "t",
      );
      const [a, b] = first.rules;
      expect(a).toMatchObject({ ref: a!.id, version: "1" });
      const drafts = [
        ruleDraft("not ssl", { ref: "b" }),
        ruleDraft("ssl or ssl", { id: a!.id }),
        ruleDraft("ssl", { id: "unheard of" }),
      ];
      const again = await settings.replaceRules("z1", drafts, "t");
      expect(again.version).toBe("2");
      expect(again.rules[0]).toEqual(b);
      const { lastUpdated } = again;
      expect(again.rules[1]).toMatchObject({ id: a!.id, ref: a!.id, version: "2", lastUpdated });
      expect(again.rules[2]).toMatchObject({ version: "1" });
      expect(again.rules[2]!.id).not.toBe("unheard of");
      const anonymous = await settings.replaceRules("z1", [ruleDraft("ssl")], "t");
      expect([a!.id, again.rules[2]!.id]).not.toContain(anonymous.rules[0]!.id);
    });

    test.each([
      ["ref", [ruleDraft("ssl", { ref: "x" }), ruleDraft("ssl", { ref: "x" })]],
      ["id", [ruleDraft("ssl", { ref: "known" }), ruleDraft("ssl", { ref: "known", id: "other" })]],
    ])("two rules with one %s are refused, and nothing changes", async (_, drafts) => {
      const settings = await open();
      await settings.replaceRules("z1", [ruleDraft("ssl", { ref: "known" })], "t");
      const before = settings.ruleset("z1");
      await expect(settings.replaceRules("z1", drafts, "t")).rejects.toThrow(/^Two rules have the same/);
      await settings.refresh();
      expect(settings.ruleset("z1")).toEqual(before);
      expect(settings.revision()).toBe(1);
    });

    test("the audit trail says who changed what from what, newest first", async () => {
      const settings = await open();
      await settings.setFeature("z1", "on", "token1");
      await settings.setMetadata("z1", "ch1", { a: "b" }, "viewer");
      expect(await settings.audit("z1", 10)).toEqual([
        {
          at: "2026-11-20T00:00:02.000Z",
          zoneId: "z1",
          actor: "viewer",
          action: "metadata",
          before: '{"hostname":"ch1","custom_metadata":null}',
          after: '{"hostname":"ch1","custom_metadata":{"a":"b"}}',
        },
        {
          at: "2026-11-20T00:00:01.000Z",
          zoneId: "z1",
          actor: "token1",
          action: "setting",
          before: '"off"',
          after: '"on"',
        },
      ]);
      expect(await settings.audit("z1", 1)).toHaveLength(1);
      expect(await settings.audit("z2", 10)).toEqual([]);
    });

    test("a change that the store refuses has no effect", async () => {
      const place = await createPlace();
      const settings = await openAt(place);
      await settings.setFeature("z1", "on", "t");
      await settings.close();
      await place.refuseChanges();
      const after = await openAt(place);
      const revision = after.revision();
      await expect(after.setFeature("z1", "off", "t")).rejects.toMatchObject({ code: "storage-failed" });
      await expect(after.replaceRules("z1", [ruleDraft("ssl")], "t")).rejects.toMatchObject({
        code: "storage-failed",
      });
      await after.refresh();
      expect(after.setting("z1").value).toBe("on");
      expect(after.ruleset("z1")).toMatchObject({ version: "0", rules: [] });
      expect(after.revision()).toBe(revision);
    });

    test("metadata is the same after a restart, for any keys", async () => {
      const place = await createPlace();
      const before = await openAt(place);
      const metadata = JSON.parse('{"__proto__":"x","constructor":"y","":"z"}') as Record<string, string>;
      await before.setMetadata("z1", "ch1", metadata, "t1");
      await before.close();
      expect(JSON.stringify((await openAt(place)).metadata("z1", "ch1"))).toBe(JSON.stringify(metadata));
    });
  });
}

/** Needs as many changes as the audit trail has entries. */
export function auditLimitContract(name: string, createPlace: () => Promise<SettingsPlace>): void {
  test(`the audit trail is limited: ${name}`, async () => {
    const settings = await (await createPlace()).open();
    onTestFinished(() => settings.close());
    const most = controlLimits.auditEntries;
    await settings.setFeature("z2", "on", "token1");
    for (let i = 0; i < most + 10; i++) await settings.setFeature("z1", i % 2 === 0 ? "off" : "on", `t${i}`);
    const audit = await settings.audit("z1", 2 * most);
    expect(audit).toHaveLength(most);
    expect([audit.at(0)!.actor, audit.at(-1)!.actor]).toEqual([`t${most + 9}`, "t10"]);
    expect(await settings.audit("z2", 10)).toHaveLength(1);
  });
}
