// The SQLite file of the platform tokens, `control/tokens.sqlite`: opened by the host and by the command line at the same
// time, and durable: a token that was revoked stays revoked after a power cut.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { AppError, messageOf } from "../../../shared/app-error.ts";
import { makeFolder } from "../../platform/disk/make-folder.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";
import type { FileKind } from "../../platform/sqlite/file-version.ts";
import { openAtPresent } from "../../platform/sqlite/open-sqlite-file.ts";

export interface TokenDatabaseOptions {
  /** The data directory. */
  readonly directory: string;
  /** `make` makes file and folders where they are missing; `existing` makes nothing. */
  readonly file: "make" | "existing";
}

/** How long a writer waits for another one. A transaction here is one row. */
const patienceMs = 5000;

const schema = `
  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    secret_sha256 BLOB NOT NULL UNIQUE,
    name TEXT,
    permission TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
  ) STRICT;
`;

const tokensKind: FileKind = {
  /** "Ectk" in ASCII. */
  applicationId: 0x4563746b,
  migrations: [{ version: 1, sql: schema }],
  foreign: "The control/tokens.sqlite of this data directory is another program's.",
  newer: () => "The control plane's tokens were written by a newer Echotop.",
};

/**
 * Throws `not-found` for a file that should exist and does not, `conflict` for one of a newer version or of another
 * program, and `storage-failed` for what the disk refuses.
 */
export async function openTokenDatabase({ directory, file }: TokenDatabaseOptions): Promise<DatabaseSync> {
  const path = join(directory, "control", "tokens.sqlite");
  if (!existsSync(path)) {
    if (file === "existing") {
      throw new AppError("not-found", "This data directory has no tokens of the control plane.");
    }
    await makeParent(path);
  }
  try {
    return openAtPresent(path, tokensKind, {
      patienceMs,
      prepare(database) {
        database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      },
    });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(
      "storage-failed",
      `The control plane's tokens cannot be opened: ${messageOf(error)}.`,
      {
        cause: error,
      },
    );
  }
}

/** The folder holds secrets' hashes and the sharing key: it is its owner's alone. */
async function makeParent(path: string): Promise<void> {
  const folder = dirname(path);
  try {
    await makeFolder(folder, 0o700);
    await syncFolder(dirname(folder));
  } catch (error) {
    throw new AppError("storage-failed", "The folder of the control plane cannot be made.", { cause: error });
  }
}
