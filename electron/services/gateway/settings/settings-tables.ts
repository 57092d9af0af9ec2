// The tables of the gateway's settings. Each write is one transaction together with its entry of the audit trail.
import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { AppError } from "../../../../shared/app-error.ts";
import type { Migration } from "../../../platform/sqlite/file-version.ts";
import { transact } from "../../../platform/sqlite/transact.ts";
import { controlLimits } from "../gateway-limits.ts";
import type {
  AuditEntry,
  ConfigRule,
  ConfigRuleset,
  FeatureSetting,
  HostnameMetadata,
} from "./zone-settings.ts";

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

type Ruleset = Omit<ConfigRuleset, "id">;

const Flag = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1);
const Instant = z.int().transform((ms) => new Date(ms).toISOString());

const FeatureRow = z.object({ zone: z.string(), value: z.enum(["on", "off"]), modified_at: Instant });
const RulesetRow = z.object({ zone: z.string(), version: z.int(), updated_at: Instant });
const RuleRow = z.object({
  ...{ id: z.string(), version: z.int(), ref: z.string(), expression: z.string(), description: z.string() },
  ...{ enabled: Flag, redirects: Flag, updated_at: Instant },
});
const MetadataRow = z.object({ zone: z.string(), hostname_id: z.string(), json: z.string() });
/** Not z.record, which drops a key named `__proto__`. */
const Metadata = z.custom<HostnameMetadata>(
  (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((inner) => typeof inner === "string"),
);
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
  readFeatures(): Map<string, FeatureSetting> {
    const rows = this.#read(FeatureRow, "SELECT * FROM features");
    return new Map(rows.map(({ zone, value, modified_at: modifiedOn }) => [zone, { value, modifiedOn }]));
  }

  /** By zone. */
  readRulesets(): Map<string, Ruleset> {
    const rows = this.#read(RulesetRow, "SELECT * FROM rulesets");
    return new Map(
      rows.map(({ zone, version, updated_at: lastUpdated }) => {
        const rules = this.#read(RuleRow, "SELECT * FROM rules WHERE zone = ? ORDER BY position", zone);
        return [zone, { version: String(version), lastUpdated, rules: rules.map(toRule) }];
      }),
    );
  }

  /** By `toMetadataKey`. */
  readMetadata(): Map<string, HostnameMetadata> {
    const rows = this.#read(MetadataRow, "SELECT * FROM metadata");
    return new Map(
      rows.map(({ zone, hostname_id, json }) => [toMetadataKey(zone, hostname_id), parseMetadata(json)]),
    );
  }

  /** Returns entries of the audit trail, the newest first. */
  readAudit(zone: string, limit: number): readonly AuditEntry[] {
    const sql = "SELECT * FROM audit WHERE zone = ? ORDER BY id DESC LIMIT ?";
    return this.#read(AuditRow, sql, zone, limit).map(({ zone: zoneId, ...entry }) => ({ zoneId, ...entry }));
  }

  /** Runs the change and adds its audit entry in one transaction. */
  write({ zoneId, at, actor, action, before, after }: AuditEntry, change: () => void): void {
    transact(this.#database, () => {
      change();
      this.#run(
        "INSERT INTO audit (zone, at, actor, action, before, after) VALUES (?, ?, ?, ?, ?, ?)",
        ...[zoneId, toMs(at), actor, action, before, after],
      );
      this.#run(
        `DELETE FROM audit WHERE zone = ?1 AND id <=
         (SELECT id FROM audit WHERE zone = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${controlLimits.auditEntries})`,
        zoneId,
      );
    });
  }

  /** Call this and the other writes inside `write`. */
  writeFeature(zone: string, { value, modifiedOn }: FeatureSetting): void {
    this.#run(
      "INSERT OR REPLACE INTO features (zone, value, modified_at) VALUES (?, ?, ?)",
      ...[zone, value, toMs(modifiedOn)],
    );
  }

  writeRuleset(zone: string, { version, lastUpdated, rules }: Ruleset): void {
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

  writeMetadata(zone: string, hostname: string, metadata: HostnameMetadata): void {
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

export function toMetadataKey(zoneId: string, hostnameId: string): string {
  return JSON.stringify([zoneId, hostnameId]);
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
  return parseRow(Metadata, value);
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
