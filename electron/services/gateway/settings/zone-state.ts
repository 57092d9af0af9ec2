// The stored settings of a zone, and how a change alters them. Pure: both engines carry it out.
import { createHash, randomBytes } from "node:crypto";
import { toNextRules } from "./next-rules.ts";
import type {
  AuditEntry,
  ConfigRuleDraft,
  ConfigRuleset,
  FeatureSetting,
  HostnameMetadata,
} from "./zone-settings.ts";

export type StoredRuleset = Omit<ConfigRuleset, "id">;

export interface ZoneState {
  readonly feature: FeatureSetting;
  readonly ruleset: StoredRuleset;
  /** By the id of a custom hostname. */
  readonly metadata: ReadonlyMap<string, HostnameMetadata>;
}

export const neverChanged: ZoneState = {
  feature: { value: "off", modifiedOn: null },
  ruleset: { version: "0", lastUpdated: null, rules: [] },
  metadata: new Map(),
};

export type ZoneChange =
  | { readonly action: "setting"; readonly value: "on" | "off" }
  | { readonly action: "rules"; readonly drafts: readonly ConfigRuleDraft[] }
  | { readonly action: "metadata"; readonly hostnameId: string; readonly metadata: HostnameMetadata };

export interface PlannedChange {
  readonly after: ZoneState;
  readonly audited: Pick<AuditEntry, "before" | "after">;
}

/** `at` is ISO. @throws AppError `invalid-input` for two drafts of one rule */
export function planChange(before: ZoneState, change: ZoneChange, at: string): PlannedChange {
  switch (change.action) {
    case "setting": {
      const { value } = change;
      const after = { ...before, feature: { value, modifiedOn: at } };
      return { after, audited: toAudited(before.feature.value, value) };
    }
    case "rules": {
      const { version, rules: old } = before.ruleset;
      const rules = toNextRules(old, change.drafts, { at, createId });
      const ruleset = { version: String(Number(version) + 1), lastUpdated: at, rules };
      return { after: { ...before, ruleset }, audited: toAudited(old, rules) };
    }
    case "metadata": {
      const { hostnameId, metadata } = change;
      const toShown = (custom_metadata: unknown) => ({ hostname: hostnameId, custom_metadata });
      return {
        after: { ...before, metadata: new Map([...before.metadata, [hostnameId, metadata]]) },
        audited: toAudited(toShown(before.metadata.get(hostnameId) ?? null), toShown(metadata)),
      };
    }
  }
}

function toAudited(before: unknown, after: unknown): PlannedChange["audited"] {
  return { before: JSON.stringify(before), after: JSON.stringify(after) };
}

function createId(): string {
  return randomBytes(16).toString("hex");
}

/** Returns the id of a zone's ruleset, which exists before its first rule. */
export function toRulesetId(zoneId: string): string {
  return createHash("sha256").update(`http_config_settings:${zoneId}`).digest("hex").slice(0, 32);
}
