// The platform tokens of the control plane, in `control/tokens.sqlite`. The host and the command line open the file
// at the same time; each request looks its token up, so a change holds at once. Only the SHA-256 of a secret is
// stored.
import { createHash, randomBytes, randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { AppError, messageOf } from "../../../shared/app-error.ts";
import { makeFolder } from "../../platform/disk/make-folder.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";
import type { FileKind } from "../../platform/sqlite/file-version.ts";
import { openAtPresent } from "../../platform/sqlite/open-sqlite-file.ts";
import { platformPermissions, type PlatformPermission } from "./api-part.ts";

export type PlatformTokenState = "active" | "expired" | "revoked";

/** A token without its secret. Instants are ISO, UTC. */
export interface PlatformToken {
  /** 16 characters of `[0-9a-z]`. */
  readonly id: string;
  readonly name: string | null;
  readonly permission: PlatformPermission;
  readonly createdAt: string;
  /** Null if it does not expire. */
  readonly expiresAt: string | null;
  readonly state: PlatformTokenState;
}

export interface PlatformTokenDraft {
  readonly permission: PlatformPermission;
  /** A name for people, 1 to 100 characters. */
  readonly name?: string | undefined;
  /** Whole seconds, 1 to 315,360,000 (ten years); if omitted, the token does not expire. */
  readonly expiresInSeconds?: number | undefined;
}

/** A new token with its secret, which is not stored. */
export interface MintedPlatformToken extends PlatformToken {
  /** `ept_<40 hex>` */
  readonly plaintext: string;
}

export interface PlatformTokens {
  /** Durable when it returns. Throws `invalid-input`. */
  create(draft: PlatformTokenDraft): MintedPlatformToken;
  /** Returns all tokens, expired and revoked ones too, oldest first. */
  list(): readonly PlatformToken[];
  /** Returns false if the id is unknown or already revoked. */
  revoke(id: string): boolean;
  /** Returns undefined for an unknown, malformed, expired or revoked secret. */
  authenticate(secret: string): Pick<PlatformToken, "id" | "permission"> | undefined;
  /** Idempotent. */
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

const maxLifetimeSeconds = 315_360_000;
const maxNameLength = 100;
const secretPattern = /^ept_[0-9a-f]{40}$/;

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
      checkDraft(draft);
      const plaintext = `ept_${randomBytes(20).toString("hex")}`;
      const createdMs = nowMs();
      const row: Row = {
        id: createId(),
        name: draft.name ?? null,
        permission: draft.permission,
        created_at: createdMs,
        expires_at: draft.expiresInSeconds === undefined ? null : createdMs + draft.expiresInSeconds * 1000,
        revoked_at: null,
      };
      statements.insert.run(row.id, digest(plaintext), row.name, row.permission, createdMs, row.expires_at);
      return { ...toToken(row, createdMs), plaintext };
    },
    list() {
      return (statements.list.all() as unknown as Row[]).map((row) => toToken(row, nowMs()));
    },
    revoke: (id) => statements.revoke.run(nowMs(), id).changes === 1,
    authenticate(secret) {
      if (!secretPattern.test(secret)) return undefined;
      const row = statements.find.get(digest(secret)) as unknown as Row | undefined;
      if (row === undefined) return undefined;
      const { id, permission, state } = toToken(row, nowMs());
      return state === "active" ? { id, permission } : undefined;
    },
    close() {
      if (database.isOpen) database.close();
    },
  };
}

/** A row; instants in milliseconds since 1970. */
interface Row {
  readonly id: string;
  readonly name: string | null;
  readonly permission: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

const columns = "id, name, permission, created_at, expires_at, revoked_at";

function prepare(database: DatabaseSync): Record<"insert" | "list" | "revoke" | "find", StatementSync> {
  return {
    insert: database.prepare(
      "INSERT INTO tokens (id, secret_sha256, name, permission, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    list: database.prepare(`SELECT ${columns} FROM tokens ORDER BY created_at, rowid`),
    revoke: database.prepare("UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL"),
    find: database.prepare(`SELECT ${columns} FROM tokens WHERE secret_sha256 = ?`),
  };
}

function toToken(row: Row, nowMs: number): PlatformToken {
  const permission = platformPermissions.find((known) => known === row.permission);
  if (permission === undefined) {
    throw new AppError("stored-data-invalid", "A platform token has an unknown permission.");
  }
  return {
    id: row.id,
    name: row.name,
    permission,
    createdAt: new Date(row.created_at).toISOString(),
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
    state: toState(row, nowMs),
  };
}

function toState({ revoked_at, expires_at }: Row, nowMs: number): PlatformTokenState {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && expires_at <= nowMs ? "expired" : "active";
}

function checkDraft({ name, expiresInSeconds }: PlatformTokenDraft): void {
  if (name !== undefined && (name.length < 1 || name.length > maxNameLength)) {
    throw new AppError("invalid-input", `The name of a token must have 1 to ${maxNameLength} characters.`);
  }
  if (expiresInSeconds === undefined) return;
  const isWithin = expiresInSeconds >= 1 && expiresInSeconds <= maxLifetimeSeconds;
  if (!Number.isInteger(expiresInSeconds) || !isWithin) {
    throw new AppError(
      "invalid-input",
      `The lifetime of a token must be 1 to ${maxLifetimeSeconds} whole seconds.`,
    );
  }
}

function digest(secret: string): Uint8Array {
  return createHash("sha256").update(secret).digest();
}

const idAlphabet = "0123456789abcdefghijklmnopqrstuvwxyz";

function createId(): string {
  return Array.from({ length: 16 }, () => idAlphabet[randomInt(idAlphabet.length)]!).join("");
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
