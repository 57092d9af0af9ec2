// The SQLite file of hosting's metadata, its tables, and the lock that gives it to one host at a time.
import { DatabaseSync } from "node:sqlite";
import { AppError } from "../../../shared/app-error.ts";
import type { FileKind } from "../../platform/sqlite/file-version.ts";
import { keepLog, openAtPresent } from "../../platform/sqlite/open-sqlite-file.ts";
import { isBusy } from "../../platform/sqlite/result-codes.ts";

/** Instants are milliseconds since 1970, UTC. */
const tables = `
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
    -- SHA-256 of the token before its question mark.
    hash BLOB NOT NULL UNIQUE,
    scope TEXT NOT NULL CHECK (scope IN ('read', 'write')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) STRICT;
  CREATE INDEX tokens_by_repository ON tokens (repository_id, created_at, id);

  -- Ids of deleted repositories whose folders may still exist.
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
`;

export const repositoriesKind: FileKind = {
  /** "Erep" in ASCII. */
  applicationId: 0x45726570,
  migrations: [{ version: 1, sql: tables }],
  foreign: "The repositories.sqlite of this data directory belongs to another program.",
  newer: (version, newest) =>
    `The repositories of this data directory have version ${version}, written by a newer Echotop; this one supports versions up to ${newest}.`,
};

/** Waiting time for another host that checks the file before it finds the directory in use. */
const patienceMs = 1000;

/**
 * Opens or creates the file and migrates it. The caller must hold the host lock; other hosts may read the file as they
 * start.
 * @throws AppError `conflict` for a file of a newer version or of another program, `storage-failed`
 */
export function openDatabase(file: string): DatabaseSync {
  return openAtPresent(file, repositoriesKind, {
    patienceMs,
    prepare(database) {
      keepLog(database, "Repositories cannot be stored here: the disk does not support a write-ahead log.");
      database.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    },
  });
}

const inUse =
  "The repositories of this data directory are in use by another Echotop; close that one, or give this one a directory of its own.";

/**
 * Locks `file` until the returned connection closes or the process ends. Nothing else in this process may open the
 * file: closing it would drop the lock (POSIX).
 * @throws AppError `conflict` while another host, or another part of this one, holds it
 */
export function takeHostLock(file: string): DatabaseSync {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new AppError("conflict", inUse, { cause: error });
  }
}
