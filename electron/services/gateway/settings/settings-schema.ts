// The tables of the gateway's settings, as numbered migrations. Instants are milliseconds since 1970, UTC.
import type { Migration } from "../../../platform/sqlite/file-version.ts";

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

      -- What became of each write; before and after are JSON.
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
