// The tables of the request log, as numbered migrations. Instants are milliseconds since 1970, UTC.
import type { Migration } from "../../../platform/sqlite/file-version.ts";

export const logMigrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE records (
        -- In the order of writing; where the push goes on.
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL,
        at INTEGER NOT NULL,
        zone TEXT NOT NULL,
        host TEXT NOT NULL,
        path TEXT NOT NULL,
        status INTEGER NOT NULL,
        user_agent TEXT NOT NULL,
        category TEXT,
        name TEXT,
        reason TEXT NOT NULL,
        target TEXT
      ) STRICT;
      CREATE INDEX records_by_time ON records (zone, at);
      -- Few of all requests are a verified crawler's, and these two are read most.
      CREATE INDEX verified_by_time ON records (zone, at) WHERE category IS NOT NULL;
      CREATE INDEX redirects_by_time ON records (zone, at) WHERE target IS NOT NULL;

      CREATE TABLE push (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        -- The last record that the sink has taken.
        position INTEGER NOT NULL
      ) STRICT;
    `,
  },
];
