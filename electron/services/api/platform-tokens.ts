// The tokens of the control plane: made by the command line or the app, looked up at each request, so that one is valid,
// or not any more, at once. Of the secret only its SHA-256 is kept.
import { createHash, randomBytes, randomInt } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { AppError } from "../../../shared/app-error.ts";
import { platformPermissions, type PlatformPermission } from "./api-part.ts";
import { openTokenDatabase, type TokenDatabaseOptions } from "./token-database.ts";

export type PlatformTokenState = "active" | "expired" | "revoked";

/** What may be told of a token; never its secret. Instants are ISO, UTC. */
export interface PlatformToken {
  /** 16 of `[0-9a-z]`. */
  readonly id: string;
  readonly name: string | null;
  readonly permission: PlatformPermission;
  readonly createdAt: string;
  /** Null when it does not expire. */
  readonly expiresAt: string | null;
  readonly state: PlatformTokenState;
}

export interface PlatformTokenDraft {
  readonly permission: PlatformPermission;
  /** What people call it, 1 to 100 characters. */
  readonly name?: string | undefined;
  /** Whole seconds, 1 to 315,360,000 (ten years); without it the token does not expire. */
  readonly expiresInSeconds?: number | undefined;
}

/** The secret is here and nowhere else: it cannot be had again. */
export interface MintedPlatformToken extends PlatformToken {
  /** `ept_<40 hex>` */
  readonly plaintext: string;
}

export interface PlatformTokens {
  /** Durable once it returns. Throws `invalid-input` for a draft outside its bounds. */
  create(draft: PlatformTokenDraft): MintedPlatformToken;
  /** Oldest first, expired and revoked ones too. */
  list(): readonly PlatformToken[];
  /** False when there is none of this id, or it was revoked before. */
  revoke(id: string): boolean;
  /** Undefined for whatever opens nothing: unknown, malformed, expired, revoked. */
  authenticate(secret: string): Pick<PlatformToken, "id" | "permission"> | undefined;
  /** Idempotent. */
  close(): void;
}

export interface PlatformTokensOptions extends TokenDatabaseOptions {
  /** The current instant. */
  readonly now: () => Date;
}

export const maxLifetimeSeconds = 315_360_000;
const maxNameLength = 100;
const secretPattern = /^ept_[0-9a-f]{40}$/;

/** Throws as `openTokenDatabase` does. */
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
    throw new AppError("stored-data-invalid", "A platform token carries a permission that is none of ours.");
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
    throw new AppError("invalid-input", `A token's name has 1 to ${maxNameLength} characters.`);
  }
  if (expiresInSeconds === undefined) return;
  const isWithin = expiresInSeconds >= 1 && expiresInSeconds <= maxLifetimeSeconds;
  if (!Number.isInteger(expiresInSeconds) || !isWithin) {
    throw new AppError("invalid-input", `A token lives for 1 to ${maxLifetimeSeconds} whole seconds.`);
  }
}

function digest(secret: string): Uint8Array {
  return createHash("sha256").update(secret).digest();
}

const idAlphabet = "0123456789abcdefghijklmnopqrstuvwxyz";

function createId(): string {
  return Array.from({ length: 16 }, () => idAlphabet[randomInt(idAlphabet.length)]!).join("");
}
