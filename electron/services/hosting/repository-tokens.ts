// Tokens of repositories: minted once, stored as a hash, and checked without regard to the repository that a request
// names.
import { createHash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { ArtifactsError } from "./artifacts-error.ts";
import {
  defaultTtlSeconds,
  endedTokenRetentionMs,
  maxTokenPage,
  maxTokensPerPage,
  maxTtlSeconds,
  minTtlSeconds,
} from "./hosting-limits.ts";
import type { MintedToken, RepositoryScope, TokenPage, TokenQuery, TokenState } from "./hosting-records.ts";

const idAlphabet = "0123456789abcdefghijklmnopqrstuvwxyz";
const idLength = 16;
/** Longer than any token with its suffix; no valid secret has more characters. */
const maxSecretLength = 200;

/** Returns a new id of a repository or token; 82 random bits make it unique. */
export function createId(): string {
  return Array.from({ length: idLength }, () => idAlphabet[randomInt(idAlphabet.length)]!).join("");
}

interface TokenRow {
  readonly id: string;
  readonly repository_id: string;
  readonly hash: Uint8Array;
  readonly scope: RepositoryScope;
  readonly created_at: number;
  readonly expires_at: number;
  readonly revoked_at: number | null;
}

const stateConditions: Readonly<Record<TokenQuery["state"], string>> = {
  active: "revoked_at IS NULL AND expires_at > ?",
  expired: "revoked_at IS NULL AND expires_at <= ?",
  revoked: "revoked_at IS NOT NULL AND ? > 0",
  all: "? > 0",
};

export function createTokenTable(database: DatabaseSync) {
  const insert = database.prepare("INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, NULL)");
  const forget = database.prepare(
    "DELETE FROM tokens WHERE repository_id = ? AND coalesce(revoked_at, expires_at) < ?",
  );
  const revoke = database.prepare(
    `UPDATE tokens SET revoked_at = ?1 WHERE (id = ?2 OR hash = ?3) AND revoked_at IS NULL AND repository_id IN
     (SELECT id FROM repositories WHERE namespace = ?4 AND (?5 IS NULL OR name = ?5)) RETURNING id`,
  );
  const byHash = database.prepare("SELECT * FROM tokens WHERE hash = ?");
  return {
    /** Must run in the caller's transaction. @throws ArtifactsError `INVALID_TTL` */
    mint(
      repositoryId: string,
      scope: RepositoryScope,
      nowMs: number,
      ttl: number = defaultTtlSeconds,
    ): MintedToken {
      if (!isWithin(ttl, minTtlSeconds, maxTtlSeconds)) {
        throw new ArtifactsError(
          "INVALID_TTL",
          `A token's ttl must be a whole number of seconds from ${minTtlSeconds} to ${maxTtlSeconds}.`,
        );
      }
      forget.run(repositoryId, nowMs - endedTokenRetentionMs);
      const id = createId();
      const secret = `art_v1_${randomBytes(20).toString("hex")}`;
      // Whole seconds, so that the record and the suffix agree.
      const expiresAtSeconds = Math.floor(nowMs / 1000) + ttl;
      insert.run(id, repositoryId, toHash(secret), scope, nowMs, expiresAtSeconds * 1000);
      const expiresAt = new Date(expiresAtSeconds * 1000).toISOString();
      return Object.freeze({ id, plaintext: `${secret}?expires=${expiresAtSeconds}`, scope, expiresAt });
    },
    list(repositoryId: string, { state, perPage, page }: TokenQuery, nowMs: number): TokenPage {
      const from = `FROM tokens WHERE repository_id = ? AND ${stateConditions[state]}`;
      const counted = database.prepare(`SELECT count(*) AS count ${from}`).get(repositoryId, nowMs);
      const rows = database
        .prepare(`SELECT * ${from} ORDER BY created_at DESC, id LIMIT ? OFFSET ?`)
        .all(repositoryId, nowMs, perPage, (page - 1) * perPage) as unknown as TokenRow[];
      const tokens = rows.map((row) =>
        Object.freeze({
          id: row.id,
          scope: row.scope,
          state: toState(row, nowMs),
          createdAt: new Date(row.created_at).toISOString(),
          expiresAt: new Date(row.expires_at).toISOString(),
        }),
      );
      return { tokens, total: Number(counted?.count) };
    },
    /** Returns the token's id; undefined if no token matches or it was already revoked. */
    revoke(
      namespace: string,
      tokenOrId: string,
      name: string | undefined,
      nowMs: number,
    ): string | undefined {
      const row = revoke.get(nowMs, tokenOrId, toHash(tokenOrId), namespace, name ?? null);
      return row && String(row.id);
    },
    /** Returns the token if it is active. */
    authorize(secret: string, nowMs: number): Pick<TokenRow, "id" | "scope" | "repository_id"> | undefined {
      const hash = toHash(secret);
      const row = byHash.get(hash) as TokenRow | undefined;
      // Every check runs for every secret, so that the time does not reveal which one failed.
      const checks = [
        timingSafeEqual(hash, row?.hash ?? Buffer.alloc(hash.length)),
        toState(row ?? { expires_at: 0, revoked_at: null }, nowMs) === "active",
      ];
      return checks.every(Boolean) ? row : undefined;
    },
  };
}

function toState(row: Pick<TokenRow, "expires_at" | "revoked_at">, nowMs: number): TokenState {
  if (row.revoked_at !== null) return "revoked";
  return row.expires_at <= nowMs ? "expired" : "active";
}

/**
 * Returns the SHA-256 of a secret without its `?expires=` suffix, whose question mark may be percent-encoded. The
 * suffix decides nothing: the record has the expiry.
 */
function toHash(secret: string): Buffer {
  const bare = secret.slice(0, maxSecretLength).replace(/(?:\?|%3f).*$/is, "");
  return createHash("sha256").update(bare).digest();
}

/** @throws ArtifactsError `INVALID_INPUT` */
export function checkTokenQuery({ perPage, page }: TokenQuery): void {
  checkPage(perPage, maxTokensPerPage, "per_page");
  checkPage(page, maxTokenPage, "page");
}

function checkPage(value: number, most: number, what: string): void {
  if (!isWithin(value, 1, most)) {
    throw new ArtifactsError("INVALID_INPUT", `The ${what} must be a whole number from 1 to ${most}.`);
  }
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
