// Rows of repositories.sqlite as SQLite gives them, and the frozen records that callers get of them.
import type { AuditEntry } from "./repositories.ts";
import type {
  NamespaceRecord,
  RepositoryRecord,
  RepositoryScope,
  RepositoryStatus,
  RepositoryTokenRecord,
  TokenState,
} from "./hosting-records.ts";

export interface RepositoryRow {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly description: string | null;
  readonly default_branch: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly last_push_at: number | null;
  readonly source: string | null;
  readonly read_only: 0 | 1;
  readonly status: RepositoryStatus;
}

export interface TokenRow {
  readonly id: string;
  readonly repository_id: string;
  readonly hash: Uint8Array;
  readonly scope: RepositoryScope;
  readonly created_at: number;
  readonly expires_at: number;
  readonly revoked_at: number | null;
}

export interface NamespaceRow {
  readonly name: string;
  readonly repo_count: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface AuditRow {
  readonly at: number;
  readonly kind: AuditEntry["kind"];
  readonly token_id: string | null;
  readonly detail: string | null;
}

/** Milliseconds since 1970 as RFC 3339. */
export function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}

export function toRepository(row: RepositoryRow): RepositoryRecord {
  return Object.freeze({
    id: row.id,
    namespace: row.namespace,
    name: row.name,
    description: row.description,
    defaultBranch: row.default_branch,
    createdAt: toInstant(row.created_at),
    updatedAt: toInstant(row.updated_at),
    lastPushAt: row.last_push_at === null ? null : toInstant(row.last_push_at),
    source: row.source,
    readOnly: row.read_only === 1,
    status: row.status,
  });
}

export function stateOf(row: Pick<TokenRow, "expires_at" | "revoked_at">, nowMs: number): TokenState {
  if (row.revoked_at !== null) return "revoked";
  return row.expires_at <= nowMs ? "expired" : "active";
}

export function toToken(row: TokenRow, nowMs: number): RepositoryTokenRecord {
  return Object.freeze({
    id: row.id,
    scope: row.scope,
    state: stateOf(row, nowMs),
    createdAt: toInstant(row.created_at),
    expiresAt: toInstant(row.expires_at),
  });
}

export function toNamespace(row: NamespaceRow): NamespaceRecord {
  return Object.freeze({
    namespace: row.name,
    repoCount: row.repo_count,
    createdAt: toInstant(row.created_at),
    updatedAt: toInstant(row.updated_at),
  });
}

export function toAuditEntry(row: AuditRow): AuditEntry {
  return Object.freeze({
    at: toInstant(row.at),
    kind: row.kind,
    tokenId: row.token_id,
    detail: row.detail,
  });
}
