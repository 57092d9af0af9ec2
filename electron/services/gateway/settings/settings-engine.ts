// Interface of the engines of the settings: a file in a data directory, and PostgreSQL in a service. The settings are
// the same over both.
import { toRulesetId, type ZoneChange, type ZoneState } from "./zone-state.ts";
import type { Actor, ZoneSettings } from "./zone-settings.ts";

export interface SettingsEngine extends Pick<
  ZoneSettings,
  "audit" | "revision" | "refresh" | "isCurrent" | "close"
> {
  /** Returns the state in memory. */
  readonly find: (zoneId: string) => ZoneState;
  /** Makes the change durable, and then puts it into memory. Returns the zone's state right after it. */
  readonly change: (zoneId: string, change: ZoneChange, actor: Actor) => Promise<ZoneState>;
}

export function createZoneSettings({ find, change, ...engine }: SettingsEngine): ZoneSettings {
  return {
    ...engine,
    setting: (zoneId) => find(zoneId).feature,
    setFeature: async (zoneId, value, actor) =>
      (await change(zoneId, { action: "setting", value }, actor)).feature,
    ruleset: (zoneId) => ({ id: toRulesetId(zoneId), ...find(zoneId).ruleset }),
    replaceRules: async (zoneId, drafts, actor) => {
      const { ruleset } = await change(zoneId, { action: "rules", drafts }, actor);
      return { id: toRulesetId(zoneId), ...ruleset };
    },
    metadata: (zoneId, hostnameId) => find(zoneId).metadata.get(hostnameId),
    setMetadata: async (zoneId, hostnameId, metadata, actor) => {
      const after = await change(zoneId, { action: "metadata", hostnameId, metadata }, actor);
      return after.metadata.get(hostnameId)!;
    },
  };
}
