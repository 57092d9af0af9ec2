// The tables of the gateway's settings. Each write is one transaction together with its entry of the audit trail.
import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { AppError } from "../../../../shared/app-error.ts";
import type { Migration } from "../../../platform/sqlite/file-version.ts";
import { transact } from "../../../platform/sqlite/transact.ts";
import { controlLimits } from "../gateway-limits.ts";
import { StoredMetadata } from "./stored-metadata.ts";
import type { AuditEntry, ConfigRule, FeatureSetting, HostnameMetadata } from "./zone-settings.ts";
import { neverChanged, type StoredRuleset, type ZoneChange, type ZoneState } from "./zone-state.ts";

/** Instants are milliseconds since 1970, UTC. */
export const settingsMigrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE features (
        zone TEXT PRIMARY KEY,
        value TEXT NOT NULL CHECK (value IN ('on', 'off')),
        modified_at INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE rulesets (
        zone TEXT PRIMARY KEY,
        version INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE rules (
        zone TEXT NOT NULL REFERENCES rulesets (zone),
        position INTEGER NOT NULL,
        id TEXT NOT NULL,
        version INTEGER NOT NULL,
        ref TEXT NOT NULL,
        expression TEXT NOT NULL,
        description TEXT NOT NULL,
        enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
        redirects INTEGER NOT NULL CHECK (redirects IN (0, 1)),
        updated_at INTEGER NOT NULL,
        PRIMARY KEY (zone, position),
        UNIQUE (zone, id),
        UNIQUE (zone, ref)
      ) STRICT;

      CREATE TABLE metadata (
        zone TEXT NOT NULL,
        hostname_id TEXT NOT NULL,
        -- A JSON object whose values are strings.
        json TEXT NOT NULL,
        PRIMARY KEY (zone, hostname_id)
      ) STRICT;

      -- The audit trail; before and after are JSON.
      CREATE TABLE audit (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        zone TEXT NOT NULL,
        at INTEGER NOT NULL,
        actor TEXT NOT NULL,
        action TEXT NOT NULL CHECK (action IN ('setting', 'rules', 'metadata')),
        before TEXT NOT NULL,
        after TEXT NOT NULL
      ) STRICT;
      CREATE INDEX audit_by_zone ON audit (zone, id);
    `,
  },
];

const Flag = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1);
const Instant = z.int().transform((ms) => new Date(ms).toISOString());

const FeatureRow = z.object({ zone: z.string(), value: z.enum(["on", "off"]), modified_at: Instant });
const RulesetRow = z.object({ zone: z.string(), version: z.int(), updated_at: Instant });
const RuleRow = z.object({
  ...{ id: z.string(), version: z.int(), ref: z.string(), expression: z.string(), description: z.string() },
  ...{ enabled: Flag, redirects: Flag, updated_at: Instant },
});
const MetadataRow = z.object({ zone: z.string(), hostname_id: z.string(), json: z.string() });
const AuditRow = z.object({
  ...{ zone: z.string(), at: Instant, actor: z.string(), before: z.string(), after: z.string() },
  action: z.enum(["setting", "rules", "metadata"]),
});

/** Reads throw AppError `stored-data-invalid` for a damaged row. */
export class SettingsTables {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** By zone. */
  readZones(): Map<string, ZoneState> {
    const zones = new Map<string, ZoneState>();
    const put = (zone: string, known: Partial<ZoneState>): void => {
      zones.set(zone, { ...(zones.get(zone) ?? neverChanged), ...known });
    };
    for (const { zone, value, modified_at } of this.#read(FeatureRow, "SELECT * FROM features")) {
      put(zone, { feature: { value, modifiedOn: modified_at } });
    }
    for (const { zone, version, updated_at } of this.#read(RulesetRow, "SELECT * FROM rulesets")) {
      const rules = this.#read(RuleRow, "SELECT * FROM rules WHERE zone = ? ORDER BY position", zone);
      put(zone, { ruleset: { version: String(version), lastUpdated: updated_at, rules: rules.map(toRule) } });
    }
    for (const { zone, hostname_id, json } of this.#read(MetadataRow, "SELECT * FROM metadata")) {
      const { metadata } = zones.get(zone) ?? neverChanged;
      put(zone, { metadata: new Map([...metadata, [hostname_id, parseMetadata(json)]]) });
    }
    return zones;
  }

  /** Returns entries of the audit trail, the newest first. */
  readAudit(zone: string, limit: number): readonly AuditEntry[] {
    const sql = "SELECT * FROM audit WHERE zone = ? ORDER BY id DESC LIMIT ?";
    return this.#read(AuditRow, sql, zone, limit).map(({ zone: zoneId, ...entry }) => ({ zoneId, ...entry }));
  }

  /** Stores the part of `after` that the change concerns, and its audit entry, in one transaction. */
  write(entry: AuditEntry, change: ZoneChange, after: ZoneState): void {
    const { zoneId, at, actor, action, before, after: audited } = entry;
    transact(this.#database, () => {
      if (change.action === "setting") this.#writeFeature(zoneId, after.feature);
      else if (change.action === "rules") this.#writeRuleset(zoneId, after.ruleset);
      else this.#writeMetadata(zoneId, change.hostnameId, change.metadata);
      this.#run(
        "INSERT INTO audit (zone, at, actor, action, before, after) VALUES (?, ?, ?, ?, ?, ?)",
        ...[zoneId, toMs(at), actor, action, before, audited],
      );
      this.#run(
        `DELETE FROM audit WHERE zone = ?1 AND id <=
         (SELECT id FROM audit WHERE zone = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${controlLimits.auditEntries})`,
        zoneId,
      );
    });
  }

  #writeFeature(zone: string, { value, modifiedOn }: FeatureSetting): void {
    this.#run(
      "INSERT OR REPLACE INTO features (zone, value, modified_at) VALUES (?, ?, ?)",
      ...[zone, value, toMs(modifiedOn)],
    );
  }

  #writeRuleset(zone: string, { version, lastUpdated, rules }: StoredRuleset): void {
    this.#run("DELETE FROM rules WHERE zone = ?", zone);
    this.#run(
      "INSERT OR REPLACE INTO rulesets (zone, version, updated_at) VALUES (?, ?, ?)",
      ...[zone, Number(version), toMs(lastUpdated)],
    );
    const insert = this.#database.prepare(
      `INSERT INTO rules (zone, position, id, version, ref, expression, description, enabled, redirects, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const [position, rule] of rules.entries()) {
      const flags = [rule.enabled, rule.redirectsForAiTraining].map(Number);
      const texts = [rule.ref, rule.expression, rule.description];
      insert.run(zone, position, rule.id, Number(rule.version), ...texts, ...flags, toMs(rule.lastUpdated));
    }
  }

  #writeMetadata(zone: string, hostname: string, metadata: HostnameMetadata): void {
    this.#run(
      "INSERT OR REPLACE INTO metadata (zone, hostname_id, json) VALUES (?, ?, ?)",
      ...[zone, hostname, JSON.stringify(metadata)],
    );
  }

  #read<Schema extends z.ZodType>(schema: Schema, sql: string, ...values: (string | number)[]) {
    const rows = this.#database.prepare(sql).all(...values);
    return rows.map((row) => parseRow(schema, row));
  }

  #run(sql: string, ...values: (string | number)[]): void {
    this.#database.prepare(sql).run(...values);
  }
}

function toRule(row: z.output<typeof RuleRow>): ConfigRule {
  const { id, version, ref, expression, description, enabled, redirects, updated_at } = row;
  return {
    ...{ id, version: String(version), ref, expression, description, enabled },
    ...{ redirectsForAiTraining: redirects, lastUpdated: updated_at },
  };
}

function parseMetadata(json: string): HostnameMetadata {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw invalid(error);
  }
  return parseRow(StoredMetadata, value);
}

function parseRow<Schema extends z.ZodType>(schema: Schema, row: unknown): z.output<Schema> {
  const parsed = schema.safeParse(row);
  if (!parsed.success) throw invalid(parsed.error);
  return parsed.data;
}

function invalid(cause: unknown): AppError {
  return new AppError("stored-data-invalid", "The gateway's settings are damaged.", { cause });
}

function toMs(iso: string | null): number {
  return Date.parse(iso ?? "");
}
