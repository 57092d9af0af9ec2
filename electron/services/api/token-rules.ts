// Platform tokens as rows, whose engine is SQLite in a data directory, and PostgreSQL in a service: what a token is,
// how one is made, and when it is valid. Only the SHA-256 of a secret is stored.
import { createHash, randomBytes, randomInt } from "node:crypto";
import { AppError } from "../../../shared/app-error.ts";
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

export type AuthenticatedToken = Pick<PlatformToken, "id" | "permission">;

type Sooner<Result> = Result | Promise<Result>;

/** @throws AppError `storage-unavailable` while the database of a service cannot be reached */
export interface TokenStore {
  /** Durable when it returns. Throws `invalid-input`. */
  create(draft: PlatformTokenDraft): Sooner<MintedPlatformToken>;
  /** Returns all tokens, expired and revoked ones too, oldest first. */
  list(): Sooner<readonly PlatformToken[]>;
  /** Returns false if the id is unknown or already revoked. */
  revoke(id: string): Sooner<boolean>;
  /** Returns undefined for an unknown, malformed, expired or revoked secret. */
  authenticate(secret: string): Sooner<AuthenticatedToken | undefined>;
  /** Idempotent. */
  close(): Sooner<void>;
}

/** A row; instants in milliseconds since 1970. */
export interface TokenRow {
  readonly id: string;
  readonly name: string | null;
  readonly permission: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

export const tokenColumns = "id, name, permission, created_at, expires_at, revoked_at";

const maxLifetimeSeconds = 315_360_000;
const maxNameLength = 100;
const secretPattern = /^ept_[0-9a-f]{40}$/;

export function createSecret(): string {
  return `ept_${randomBytes(20).toString("hex")}`;
}

/** Returns the hash to look for; undefined for what cannot be a secret. */
export function findDigest(secret: string): Uint8Array | undefined {
  return secretPattern.test(secret) ? createHash("sha256").update(secret).digest() : undefined;
}

/** @throws AppError `invalid-input` */
export function createTokenRow(
  { permission, name, expiresInSeconds }: PlatformTokenDraft,
  createdMs: number,
): TokenRow {
  return {
    id: createId(),
    name: name ?? null,
    permission,
    created_at: createdMs,
    expires_at: expiresInSeconds === undefined ? null : createdMs + expiresInSeconds * 1000,
    revoked_at: null,
  };
}

export function checkTokenDraft({ name, expiresInSeconds }: PlatformTokenDraft): void {
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

/** @throws AppError `stored-data-invalid` */
export function toToken(row: TokenRow, nowMs: number): PlatformToken {
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

/** Returns undefined for a token that is not valid. */
export function toAuthenticated(row: TokenRow | undefined, nowMs: number): AuthenticatedToken | undefined {
  if (row === undefined) return undefined;
  const { id, permission, state } = toToken(row, nowMs);
  return state === "active" ? { id, permission } : undefined;
}

function toState({ revoked_at, expires_at }: TokenRow, nowMs: number): PlatformTokenState {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && expires_at <= nowMs ? "expired" : "active";
}

const idAlphabet = "0123456789abcdefghijklmnopqrstuvwxyz";

function createId(): string {
  return Array.from({ length: 16 }, () => idAlphabet[randomInt(idAlphabet.length)]!).join("");
}
