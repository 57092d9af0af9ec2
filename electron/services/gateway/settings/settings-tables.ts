// Rows of the settings' file, read and written whole; each write is one transaction with its entry of the audit trail.
import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { AppError } from "../../../../shared/app-error.ts";
import { transact } from "../../../platform/sqlite/transact.ts";
import type {
  AuditEntry,
  ConfigRule,
  ConfigRuleset,
  FeatureSetting,
  HostnameMetadata,
} from "./zone-settings.ts";

export type AuditDraft = AuditEntry;
type Ruleset = Omit<ConfigRuleset, "id">;

export interface SettingsTables {
  /** By zone. */
  readonly readFeatures: () => readonly (readonly [string, FeatureSetting])[];
  readonly readRulesets: () => readonly (readonly [string, Ruleset])[];
  readonly readMetadata: () => readonly {
    readonly zone: string;
    readonly hostname: string;
    readonly metadata: HostnameMetadata;
  }[];
  readonly writeFeature: (zone: string, setting: FeatureSetting, audit: AuditDraft) => void;
  readonly writeRuleset: (zone: string, ruleset: Ruleset, audit: AuditDraft) => void;
  readonly writeMetadata: (
    zone: string,
    hostname: string,
    metadata: HostnameMetadata,
    audit: AuditDraft,
  ) => void;
  /** Newest first. */
  readonly readAudit: (zone: string, limit: number) => readonly AuditEntry[];
}

/** Entries of the trail that are kept of a zone. */
const keptPerZone = 1_000;

const Flag = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1);
const Instant = z.int().transform((ms) => new Date(ms).toISOString());

const FeatureRow = z.object({ zone: z.string(), value: z.enum(["on", "off"]), modified_at: Instant });
const RulesetRow = z.object({ zone: z.string(), version: z.int(), updated_at: Instant });
const RuleRow = z.object({
  ...{ id: z.string(), version: z.int(), ref: z.string(), expression: z.string(), description: z.string() },
  ...{ enabled: Flag, redirects: Flag, updated_at: Instant },
});
const MetadataRow = z.object({ zone: z.string(), hostname_id: z.string(), json: z.string() });
/** Not a record of Zod's: that drops a key named `__proto__`. */
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

export function createSettingsTables(database: DatabaseSync): SettingsTables {
  const rows = <Schema extends z.ZodType>(schema: Schema, sql: string, ...values: (string | number)[]) =>
    database
      .prepare(sql)
      .all(...values)
      .map((row) => parseRow(schema, row));
  const write = (audit: AuditDraft, change: () => void): void => {
    transact(database, () => {
      change();
      addAudit(database, audit);
    });
  };
  return {
    readFeatures: () =>
      rows(FeatureRow, "SELECT * FROM features").map(
        ({ zone, value, modified_at: modifiedOn }) => [zone, { value, modifiedOn }] as const,
      ),
    readRulesets: () =>
      rows(RulesetRow, "SELECT * FROM rulesets").map(({ zone, version, updated_at: lastUpdated }) => {
        const found = rows(RuleRow, "SELECT * FROM rules WHERE zone = ? ORDER BY position", zone);
        return [zone, { version: String(version), lastUpdated, rules: found.map(toRule) }] as const;
      }),
    readMetadata: () =>
      rows(MetadataRow, "SELECT * FROM metadata").map(({ zone, hostname_id, json }) => ({
        ...{ zone, hostname: hostname_id },
        metadata: parseMetadata(json),
      })),
    writeFeature(zone, { value, modifiedOn }, audit) {
      write(audit, () => {
        database
          .prepare("INSERT OR REPLACE INTO features (zone, value, modified_at) VALUES (?, ?, ?)")
          .run(zone, value, toMs(modifiedOn));
      });
    },
    writeRuleset(zone, ruleset, audit) {
      write(audit, () => {
        replaceRuleset(database, zone, ruleset);
      });
    },
    writeMetadata(zone, hostname, metadata, audit) {
      write(audit, () => {
        database
          .prepare("INSERT OR REPLACE INTO metadata (zone, hostname_id, json) VALUES (?, ?, ?)")
          .run(zone, hostname, JSON.stringify(metadata));
      });
    },
    readAudit: (zone, limit) =>
      rows(AuditRow, "SELECT * FROM audit WHERE zone = ? ORDER BY id DESC LIMIT ?", zone, limit).map(
        ({ zone: zoneId, ...entry }) => ({ zoneId, ...entry }),
      ),
  };
}

function replaceRuleset(
  database: DatabaseSync,
  zone: string,
  { version, lastUpdated, rules }: Ruleset,
): void {
  database.prepare("DELETE FROM rules WHERE zone = ?").run(zone);
  database
    .prepare("INSERT OR REPLACE INTO rulesets (zone, version, updated_at) VALUES (?, ?, ?)")
    .run(zone, Number(version), toMs(lastUpdated));
  const insert = database.prepare(
    `INSERT INTO rules (zone, position, id, version, ref, expression, description, enabled, redirects, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const [position, rule] of rules.entries()) {
    const flags = [rule.enabled, rule.redirectsForAiTraining].map(Number);
    const { id, ref, expression, description } = rule;
    const texts = [ref, expression, description];
    insert.run(zone, position, id, Number(rule.version), ...texts, ...flags, toMs(rule.lastUpdated));
  }
}

function addAudit(database: DatabaseSync, { zoneId, at, actor, action, before, after }: AuditDraft): void {
  database
    .prepare("INSERT INTO audit (zone, at, actor, action, before, after) VALUES (?, ?, ?, ?, ?, ?)")
    .run(zoneId, toMs(at), actor, action, before, after);
  database
    .prepare(
      `DELETE FROM audit WHERE zone = ?1 AND id <=
       (SELECT id FROM audit WHERE zone = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${keptPerZone})`,
    )
    .run(zoneId);
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
