// Opens the settings of all zones: read once from `gateway/settings.sqlite`, then kept in memory. A change is on disk
// before it takes effect. One process has the file at a time, because it would not see the changes of another.
import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { AppError, messageOf } from "../../../../shared/app-error.ts";
import { openGatewayDatabase } from "./gateway-database.ts";
import { toNextRules } from "./next-rules.ts";
import { settingsMigrations, SettingsTables, toMetadataKey } from "./settings-tables.ts";
import type { AuditEntry, FeatureSetting, ZoneSettings } from "./zone-settings.ts";

export interface ZoneSettingsOptions {
  /** The data directory. */
  readonly directory: string;
  readonly now: () => Date;
}

/** "Egws" in ASCII. */
const applicationId = 0x45677773;
const neverSet: FeatureSetting = { value: "off", modifiedOn: null };

/** @throws AppError `conflict`, `storage-failed`, `stored-data-invalid` */
export function openZoneSettings({ directory, now }: ZoneSettingsOptions): ZoneSettings {
  const database = openGatewayDatabase({
    path: join(directory, "gateway", "settings.sqlite"),
    applicationId,
    migrations: settingsMigrations,
    subject: "The gateway's settings",
    sharing: "exclusive",
    durability: "durable",
  });
  try {
    const settings = createSettings(new SettingsTables(database), now);
    const close = (): void => {
      if (database.isOpen) database.close();
    };
    return { ...settings, close };
  } catch (error) {
    database.close();
    throw error;
  }
}

interface Change extends Pick<AuditEntry, "zoneId" | "actor" | "action" | "at"> {
  readonly before: unknown;
  readonly after: unknown;
  readonly write: () => void;
}

function createSettings(tables: SettingsTables, now: () => Date): Omit<ZoneSettings, "close"> {
  const features = tables.readFeatures();
  const rulesets = tables.readRulesets();
  const metadata = tables.readMetadata();
  let revision = 0;

  /** Memory follows the disk: a change that cannot be written has no effect. */
  const commit = ({ before, after, write, ...head }: Change): void => {
    try {
      tables.write({ ...head, before: JSON.stringify(before), after: JSON.stringify(after) }, write);
    } catch (error) {
      throw new AppError("storage-failed", `The gateway's settings cannot be written: ${messageOf(error)}.`, {
        cause: error,
      });
    }
    revision += 1;
  };
  const setting = (zoneId: string): FeatureSetting => features.get(zoneId) ?? neverSet;
  const ruleset: ZoneSettings["ruleset"] = (zoneId) => ({
    id: toRulesetId(zoneId),
    ...(rulesets.get(zoneId) ?? { version: "0", lastUpdated: null, rules: [] }),
  });
  return {
    setting,
    setFeature(zoneId, value, actor) {
      const at = now().toISOString();
      const after: FeatureSetting = { value, modifiedOn: at };
      const write = (): void => {
        tables.writeFeature(zoneId, after);
      };
      commit({ zoneId, at, actor, action: "setting", before: setting(zoneId).value, after: value, write });
      features.set(zoneId, after);
      return after;
    },
    ruleset,
    replaceRules(zoneId, drafts, actor) {
      const before = ruleset(zoneId);
      const at = now().toISOString();
      const rules = toNextRules(before.rules, drafts, { at, createId });
      const after = { version: String(Number(before.version) + 1), lastUpdated: at, rules };
      const write = (): void => {
        tables.writeRuleset(zoneId, after);
      };
      commit({ zoneId, at, actor, action: "rules", before: before.rules, after: rules, write });
      rulesets.set(zoneId, after);
      return ruleset(zoneId);
    },
    metadata: (zoneId, hostnameId) => metadata.get(toMetadataKey(zoneId, hostnameId)),
    setMetadata(zoneId, hostnameId, after, actor) {
      const key = toMetadataKey(zoneId, hostnameId);
      const toAudited = (custom_metadata: unknown) => ({ hostname: hostnameId, custom_metadata });
      commit({
        ...{ zoneId, at: now().toISOString(), actor, action: "metadata" },
        before: toAudited(metadata.get(key) ?? null),
        after: toAudited(after),
        write: () => {
          tables.writeMetadata(zoneId, hostnameId, after);
        },
      });
      metadata.set(key, after);
      return after;
    },
    audit: (zoneId, limit) => tables.readAudit(zoneId, limit),
    revision: () => revision,
  };
}

/** Returns the id of a zone's ruleset, which exists before its first rule. */
function toRulesetId(zoneId: string): string {
  return createHash("sha256").update(`http_config_settings:${zoneId}`).digest("hex").slice(0, 32);
}

function createId(): string {
  return randomBytes(16).toString("hex");
}
