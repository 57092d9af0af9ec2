// The SQLite file of the platform tokens, `control/tokens.sqlite`: opened by the host and by the command line at the same
// time, and durable: a token that was revoked stays revoked after a power cut.
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AppError, messageOf } from "../../shared/app-error.ts";
import { syncFolder } from "../disk/sync-folder.ts";

export interface TokenDatabaseOptions {
  /** The data directory. */
  readonly directory: string;
  /** `make` makes file and folders where they are missing; `existing` makes nothing. */
  readonly file: "make" | "existing";
}

/** How long a writer waits for another one. A transaction here is one row. */
const patienceMs = 5000;
/** SQLite's `application_id` of this file: "Ectk" in ASCII. */
const applicationId = 0x4563746b;
const version = 1;

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
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${version};
`;

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
    await makeFolder(path);
  }
  try {
    return openFile(path);
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
async function makeFolder(path: string): Promise<void> {
  const folder = dirname(path);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await syncFolder(dirname(folder));
  } catch (error) {
    throw new AppError("storage-failed", "The folder of the control plane cannot be made.", { cause: error });
  }
}

function openFile(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: patienceMs });
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    if (readVersion(database) === 0) {
      database.exec("BEGIN IMMEDIATE");
      // Another process may have made it meanwhile.
      if (readVersion(database) === 0) database.exec(schema);
      database.exec("COMMIT");
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** 0 for a file that is still empty. */
function readVersion(database: DatabaseSync): number {
  const found = Number(database.prepare("PRAGMA user_version").get()?.user_version);
  const application = Number(database.prepare("PRAGMA application_id").get()?.application_id);
  const isEmpty = found === 0 && application === 0;
  if (!isEmpty && application !== applicationId) {
    throw new AppError("conflict", "The control/tokens.sqlite of this data directory is another program's.");
  }
  if (found > version) {
    throw new AppError("conflict", "The control plane's tokens were written by a newer Echotop.");
  }
  return found;
}
