// The platform tokens of a data directory, in `control/tokens.sqlite`. The host and the command line open the file at
// the same time; each request looks its token up, so a change holds at once.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { AppError, messageOf } from "../../../shared/app-error.ts";
import { makeFolder } from "../../platform/disk/make-folder.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";
import type { FileKind } from "../../platform/sqlite/file-version.ts";
import { openAtPresent } from "../../platform/sqlite/open-sqlite-file.ts";
import {
  checkTokenDraft,
  createSecret,
  createTokenRow,
  findDigest,
  toAuthenticated,
  tokenColumns,
  toToken,
  type AuthenticatedToken,
  type MintedPlatformToken,
  type PlatformToken,
  type PlatformTokenDraft,
  type TokenRow,
  type TokenStore,
} from "./token-rules.ts";

/** The store of a data directory answers at once. */
export interface PlatformTokens extends TokenStore {
  create(draft: PlatformTokenDraft): MintedPlatformToken;
  list(): readonly PlatformToken[];
  revoke(id: string): boolean;
  authenticate(secret: string): AuthenticatedToken | undefined;
  close(): void;
}

export interface PlatformTokensOptions {
  /** The data directory. */
  readonly directory: string;
  /** `make` creates a missing file; `existing` does not. */
  readonly file: "make" | "existing";
  /** The current instant. */
  readonly now: () => Date;
}

/**
 * @throws AppError `not-found` for a missing file that should exist; `conflict` for a file of a newer version or
 * another program; `storage-failed`
 */
export async function openPlatformTokens({
  now,
  ...options
}: PlatformTokensOptions): Promise<PlatformTokens> {
  const database = await openTokenDatabase(options);
  const statements = prepare(database);
  const nowMs = (): number => now().getTime();
  return {
    create(draft) {
      checkTokenDraft(draft);
      const plaintext = createSecret();
      const createdMs = nowMs();
      const row = createTokenRow(draft, createdMs);
      const { id, name, permission, expires_at } = row;
      statements.insert.run(id, findDigest(plaintext)!, name, permission, createdMs, expires_at);
      return { ...toToken(row, createdMs), plaintext };
    },
    list() {
      return (statements.list.all() as unknown as TokenRow[]).map((row) => toToken(row, nowMs()));
    },
    revoke: (id) => statements.revoke.run(nowMs(), id).changes === 1,
    authenticate(secret) {
      const digest = findDigest(secret);
      const row = digest && (statements.find.get(digest) as unknown as TokenRow | undefined);
      return toAuthenticated(row, nowMs());
    },
    close() {
      if (database.isOpen) database.close();
    },
  };
}

function prepare(database: DatabaseSync): Record<"insert" | "list" | "revoke" | "find", StatementSync> {
  return {
    insert: database.prepare(
      "INSERT INTO tokens (id, secret_sha256, name, permission, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    list: database.prepare(`SELECT ${tokenColumns} FROM tokens ORDER BY created_at, rowid`),
    revoke: database.prepare("UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL"),
    find: database.prepare(`SELECT ${tokenColumns} FROM tokens WHERE secret_sha256 = ?`),
  };
}

/** Time that a writer waits for another one; a transaction is one row. */
const busyMs = 5000;

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
  foreign: "The control/tokens.sqlite of this data directory belongs to another program.",
  newer: () => "The control plane's tokens were written by a newer Echotop.",
};

async function openTokenDatabase({
  directory,
  file,
}: Omit<PlatformTokensOptions, "now">): Promise<DatabaseSync> {
  const path = join(directory, "control", "tokens.sqlite");
  if (!existsSync(path)) {
    if (file === "existing") {
      throw new AppError("not-found", "This data directory has no tokens of the control plane.");
    }
    await makeParent(path);
  }
  try {
    return openAtPresent(path, tokensKind, {
      patienceMs: busyMs,
      prepare(database) {
        database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      },
    });
  } catch (error) {
    if (error instanceof AppError) throw error;
    const sentence = `The tokens of the control plane cannot be opened: ${messageOf(error)}.`;
    throw new AppError("storage-failed", sentence, { cause: error });
  }
}

/** Makes the folder of token hashes and the sharing key, readable only by its owner. */
async function makeParent(path: string): Promise<void> {
  const folder = dirname(path);
  try {
    await makeFolder(folder, 0o700);
    await syncFolder(dirname(folder));
  } catch (error) {
    throw new AppError("storage-failed", "The folder of the control plane cannot be created.", {
      cause: error,
    });
  }
}
