// The tables of repositories.sqlite, as numbered migrations. Instants are milliseconds since 1970, UTC.
import type { Migration } from "../../platform/sqlite/file-version.ts";

const initial: Migration = {
  version: 1,
  sql: `
    CREATE TABLE namespaces (
      name TEXT PRIMARY KEY COLLATE NOCASE,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE repositories (
      id TEXT PRIMARY KEY,
      namespace TEXT NOT NULL COLLATE NOCASE REFERENCES namespaces (name),
      name TEXT NOT NULL COLLATE NOCASE,
      description TEXT,
      default_branch TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      last_push_at INTEGER,
      source TEXT,
      read_only INTEGER NOT NULL CHECK (read_only IN (0, 1)),
      status TEXT NOT NULL CHECK (status IN ('creating', 'ready', 'importing', 'forking')),
      UNIQUE (namespace, name)
    ) STRICT;
    CREATE INDEX repositories_by_creation ON repositories (namespace, created_at, id);

    CREATE TABLE tokens (
      id TEXT PRIMARY KEY,
      repository_id TEXT NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      -- SHA-256 of the token up to its question mark.
      hash BLOB NOT NULL UNIQUE,
      scope TEXT NOT NULL CHECK (scope IN ('read', 'write')),
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      revoked_at INTEGER
    ) STRICT;
    CREATE INDEX tokens_by_repository ON tokens (repository_id, created_at, id);

    -- Ids of repositories whose rows are gone and whose folders may still be there.
    CREATE TABLE deletions (
      id TEXT PRIMARY KEY,
      deleted_at INTEGER NOT NULL
    ) STRICT;

    -- Outlives its repositories.
    CREATE TABLE audit (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      namespace TEXT NOT NULL COLLATE NOCASE,
      name TEXT NOT NULL COLLATE NOCASE,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL,
      token_id TEXT,
      detail TEXT
    ) STRICT;
    CREATE INDEX audit_by_name ON audit (namespace, name, id);
  `,
};

export const migrations: readonly Migration[] = [initial];
