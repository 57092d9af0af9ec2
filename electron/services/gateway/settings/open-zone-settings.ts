// The settings of all zones: read once from `gateway/settings.sqlite`, then kept in memory; each change is on disk before it is
// in force. One process has the file at a time, because another one's changes would not be seen here.
import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { AppError, messageOf } from "../../../../shared/app-error.ts";
import { openGatewayDatabase } from "./gateway-database.ts";
import { toNextRules } from "./next-rules.ts";
import { settingsMigrations } from "./settings-schema.ts";
import { createSettingsTables, type AuditDraft, type SettingsTables } from "./settings-tables.ts";
import type { ConfigRuleset, FeatureSetting, HostnameMetadata, ZoneSettings } from "./zone-settings.ts";

export interface ZoneSettingsOptions {
  /** The data directory. */
  readonly directory: string;
  readonly now: () => Date;
}

/** "Egws" in ASCII. */
const applicationId = 0x45677773;
const never: FeatureSetting = { value: "off", modifiedOn: null };

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
    const store = new SettingsStore(createSettingsTables(database), now);
    return {
      setting: (zoneId) => store.setting(zoneId),
      setFeature: (zoneId, value, actor) => store.setFeature(zoneId, value, actor),
      ruleset: (zoneId) => store.ruleset(zoneId),
      replaceRules: (zoneId, drafts, actor) => store.replaceRules(zoneId, drafts, actor),
      metadata: (zoneId, hostnameId) => store.metadata(zoneId, hostnameId),
      setMetadata: (zoneId, hostnameId, metadata, actor) =>
        store.setMetadata({ zoneId, hostnameId, metadata, actor }),
      audit: (zoneId, limit) => store.audit(zoneId, limit),
      revision: () => store.revision,
      close: () => {
        if (database.isOpen) database.close();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

interface MetadataChange {
  readonly zoneId: string;
  readonly hostnameId: string;
  readonly metadata: HostnameMetadata;
  readonly actor: string;
}

class SettingsStore {
  readonly #tables: SettingsTables;
  readonly #now: () => Date;
  readonly #features: Map<string, FeatureSetting>;
  readonly #rulesets: Map<string, Omit<ConfigRuleset, "id">>;
  /** By zone and hostname, as JSON. */
  readonly #metadata: Map<string, HostnameMetadata>;
  revision = 0;

  constructor(tables: SettingsTables, now: () => Date) {
    this.#tables = tables;
    this.#now = now;
    this.#features = new Map(tables.readFeatures());
    this.#rulesets = new Map(tables.readRulesets());
    this.#metadata = new Map(
      tables.readMetadata().map(({ zone, hostname, metadata }) => [toKey(zone, hostname), metadata]),
    );
  }

  setting(zoneId: string): FeatureSetting {
    return this.#features.get(zoneId) ?? never;
  }

  setFeature(zoneId: string, value: "on" | "off", actor: string): FeatureSetting {
    const before = this.setting(zoneId);
    const at = this.#now().toISOString();
    const after: FeatureSetting = { value, modifiedOn: at };
    const audit = toAudit({ zoneId, at, actor, action: "setting" }, before.value, value);
    this.#write(() => {
      this.#tables.writeFeature(zoneId, after, audit);
    });
    this.#features.set(zoneId, after);
    return after;
  }

  ruleset(zoneId: string): ConfigRuleset {
    const kept = this.#rulesets.get(zoneId) ?? { version: "0", lastUpdated: null, rules: [] };
    return { id: toRulesetId(zoneId), ...kept };
  }

  replaceRules(zoneId: string, drafts: Parameters<typeof toNextRules>[1], actor: string): ConfigRuleset {
    const before = this.ruleset(zoneId);
    const at = this.#now().toISOString();
    const rules = toNextRules(before.rules, drafts, { at, createId });
    const after = { version: String(Number(before.version) + 1), lastUpdated: at, rules };
    const audit = toAudit({ zoneId, at, actor, action: "rules" }, before.rules, rules);
    this.#write(() => {
      this.#tables.writeRuleset(zoneId, after, audit);
    });
    this.#rulesets.set(zoneId, after);
    return this.ruleset(zoneId);
  }

  metadata(zoneId: string, hostnameId: string): HostnameMetadata | undefined {
    return this.#metadata.get(toKey(zoneId, hostnameId));
  }

  setMetadata({ zoneId, hostnameId, metadata, actor }: MetadataChange): HostnameMetadata {
    const before = this.metadata(zoneId, hostnameId) ?? null;
    const at = this.#now().toISOString();
    const audit = toAudit(
      { zoneId, at, actor, action: "metadata" },
      { hostname: hostnameId, custom_metadata: before },
      { hostname: hostnameId, custom_metadata: metadata },
    );
    this.#write(() => {
      this.#tables.writeMetadata(zoneId, hostnameId, metadata, audit);
    });
    this.#metadata.set(toKey(zoneId, hostnameId), metadata);
    return metadata;
  }

  audit(zoneId: string, limit: number): ReturnType<ZoneSettings["audit"]> {
    return this.#tables.readAudit(zoneId, limit);
  }

  /** Memory follows the disk: what could not be written is not in force. */
  #write(write: () => void): void {
    try {
      write();
    } catch (error) {
      throw new AppError("storage-failed", `The gateway's settings cannot be written: ${messageOf(error)}.`, {
        cause: error,
      });
    }
    this.revision += 1;
  }
}

function toAudit(
  head: Pick<AuditDraft, "zoneId" | "at" | "actor" | "action">,
  before: unknown,
  after: unknown,
): AuditDraft {
  return { ...head, before: JSON.stringify(before), after: JSON.stringify(after) };
}

/** A zone has one ruleset, whose id is there before its first rule is. */
function toRulesetId(zoneId: string): string {
  return createHash("sha256").update(`http_config_settings:${zoneId}`).digest("hex").slice(0, 32);
}

function createId(): string {
  return randomBytes(16).toString("hex");
}

function toKey(zoneId: string, hostnameId: string): string {
  return JSON.stringify([zoneId, hostnameId]);
}
