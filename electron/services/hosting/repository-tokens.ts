// Repo-scoped tokens: minted once, kept as a hash, and looked at with the same amount of work whatever is presented.
import { createHash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { ArtifactsError } from "./artifacts-error.ts";
import type { MintedToken, RepositoryScope, TokenState } from "./hosting-records.ts";
import type { TokenQuery } from "./repositories.ts";
import { stateOf, toInstant, type TokenRow } from "./hosting-rows.ts";

export const defaultTtlSeconds = 86_400;
const minTtlSeconds = 60;
const maxTtlSeconds = 31_536_000;
/** Tokens that ended are listed for so long, then forgotten. */
const keptEndedMs = 90 * 86_400_000;

const idAlphabet = "0123456789abcdefghijklmnopqrstuvwxyz";
const idLength = 16;
/** Longer than any token with its suffix; what comes beyond it cannot make it right. */
const maxSecretLength = 200;

/** Of repositories and tokens: 82 random bits, so that none is given twice. */
export function createId(): string {
  return Array.from({ length: idLength }, () => idAlphabet[randomInt(idAlphabet.length)]!).join("");
}

export interface Tokens {
  /** Within the caller's transaction. @throws ArtifactsError `INVALID_TTL` */
  mint(repositoryId: string, scope: RepositoryScope, ttl: number | undefined, nowMs: number): MintedToken;
  list(
    repositoryId: string,
    query: TokenQuery,
    nowMs: number,
  ): { readonly rows: readonly TokenRow[]; readonly total: number };
  /** False when there is none of this id, or it was revoked before. */
  revoke(namespace: string, tokenOrId: string, name: string | undefined, nowMs: number): boolean;
  /** The token, when it is active and opens this repository. */
  authorize(repositoryId: string | undefined, secret: string, nowMs: number): TokenRow | undefined;
}

const stateConditions: Readonly<Record<TokenState | "all", string>> = {
  active: "revoked_at IS NULL AND expires_at > ?",
  expired: "revoked_at IS NULL AND expires_at <= ?",
  revoked: "revoked_at IS NOT NULL AND ? > 0",
  all: "? > 0",
};

export function createTokens(database: DatabaseSync): Tokens {
  const insert = database.prepare("INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, NULL)");
  const forget = database.prepare(
    "DELETE FROM tokens WHERE repository_id = ? AND coalesce(revoked_at, expires_at) < ?",
  );
  const revoke = database.prepare(
    `UPDATE tokens SET revoked_at = ?1 WHERE (id = ?2 OR hash = ?3) AND revoked_at IS NULL AND repository_id IN
     (SELECT id FROM repositories WHERE namespace = ?4 AND (?5 IS NULL OR name = ?5))`,
  );
  const byHash = database.prepare("SELECT * FROM tokens WHERE hash = ?");
  return {
    mint(repositoryId, scope, ttl = defaultTtlSeconds, nowMs) {
      checkTtl(ttl);
      forget.run(repositoryId, nowMs - keptEndedMs);
      const id = createId();
      const secret = `art_v1_${randomBytes(20).toString("hex")}`;
      // Whole seconds, so that the record and the suffix say the same.
      const expiresAtSeconds = Math.floor(nowMs / 1000) + ttl;
      insert.run(id, repositoryId, hashOf(secret), scope, nowMs, expiresAtSeconds * 1000);
      const expiresAt = toInstant(expiresAtSeconds * 1000);
      return Object.freeze({ id, plaintext: `${secret}?expires=${expiresAtSeconds}`, scope, expiresAt });
    },
    list(repositoryId, { state, perPage, page }, nowMs) {
      const from = `FROM tokens WHERE repository_id = ? AND ${stateConditions[state]}`;
      const total = Number(
        database.prepare(`SELECT count(*) AS count ${from}`).get(repositoryId, nowMs)?.count,
      );
      const rows = database
        .prepare(`SELECT * ${from} ORDER BY created_at DESC, id LIMIT ? OFFSET ?`)
        .all(repositoryId, nowMs, perPage, (page - 1) * perPage) as unknown as TokenRow[];
      return { rows, total };
    },
    revoke: (namespace, tokenOrId, name, nowMs) =>
      revoke.run(nowMs, tokenOrId, hashOf(tokenOrId), namespace, name ?? null).changes > 0,
    authorize(repositoryId, secret, nowMs) {
      const hash = hashOf(secret);
      const row = byHash.get(hash) as TokenRow | undefined;
      // No step is left out for a wrong token, so that the time tells nothing of what was wrong.
      const judgements = [
        timingSafeEqual(hash, row?.hash ?? Buffer.alloc(hash.length)),
        (row?.repository_id ?? "") === (repositoryId ?? "none"),
        stateOf(row ?? { expires_at: 0, revoked_at: null }, nowMs) === "active",
      ];
      return judgements.every(Boolean) ? row : undefined;
    },
  };
}

/**
 * SHA-256 of what stands before the suffix, which no answer depends on: expiry is the record's. A suffix whose question mark is
 * still percent-encoded is one, too.
 */
function hashOf(secret: string): Buffer {
  const bare = secret.slice(0, maxSecretLength).replace(/(?:\?|%3f).*$/is, "");
  return createHash("sha256").update(bare).digest();
}

function checkTtl(ttl: number): void {
  if (!Number.isInteger(ttl) || ttl < minTtlSeconds || ttl > maxTtlSeconds) {
    throw new ArtifactsError(
      "INVALID_TTL",
      `A token's ttl must be a whole number of seconds from ${minTtlSeconds} to ${maxTtlSeconds}.`,
    );
  }
}
