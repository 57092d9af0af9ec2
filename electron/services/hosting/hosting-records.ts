// The records of repository hosting (repositories, tokens, namespaces, audit entries) and the drafts and queries of its
// callers.

export type RepositoryStatus = "creating" | "ready" | "importing" | "forking";

export interface RepositoryRecord {
  /** 16 of `[0-9a-z]`, never reused; names the folder on disk. */
  readonly id: string;
  readonly namespace: string;
  /** Spelled as at its creation; names are compared without case. */
  readonly name: string;
  readonly description: string | null;
  readonly defaultBranch: string;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastPushAt: string | null;
  /** `artifacts:NAMESPACE/NAME` or `git:URL`. */
  readonly source: string | null;
  readonly readOnly: boolean;
  readonly status: RepositoryStatus;
}

export interface NamespaceRecord {
  readonly namespace: string;
  readonly repoCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const repositoryScopes = ["read", "write"] as const;
export type RepositoryScope = (typeof repositoryScopes)[number];

export const tokenStates = ["active", "expired", "revoked"] as const;
export type TokenState = (typeof tokenStates)[number];

export interface RepositoryTokenRecord {
  readonly id: string;
  readonly scope: RepositoryScope;
  readonly state: TokenState;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** A new token; its secret is never available again. */
export interface MintedToken {
  readonly id: string;
  /** `art_v1_<40 hex>?expires=<unix seconds>` */
  readonly plaintext: string;
  readonly scope: RepositoryScope;
  readonly expiresAt: string;
}

export interface CreateDraft {
  readonly name: string;
  readonly description?: string | null | undefined;
  /** Default `main`. */
  readonly defaultBranch?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

export interface ForkDraft extends Omit<CreateDraft, "defaultBranch"> {
  /** Default true. */
  readonly defaultBranchOnly?: boolean | undefined;
}

export interface ImportDraft extends Omit<CreateDraft, "name" | "defaultBranch"> {
  readonly url: string;
  readonly branch?: string | undefined;
  readonly depth?: number | undefined;
}

export interface CreatedRepository {
  readonly repository: RepositoryRecord;
  /** The first token, with scope `write`. */
  readonly token: MintedToken;
}

export interface ForkedRepository extends CreatedRepository {
  /** Number of Git objects in the new repository. */
  readonly objects: number;
}

export const repositorySorts = ["created_at", "updated_at", "last_push_at", "name"] as const;
export type RepositorySort = (typeof repositorySorts)[number];

export interface ListQuery {
  /** 1 to 200. */
  readonly limit: number;
  /** Cursor of the previous page. */
  readonly cursor?: string | undefined;
  /** Part of the name, compared without case. */
  readonly search?: string | undefined;
  readonly sort: RepositorySort;
  readonly direction: "asc" | "desc";
}

export interface RepositoryPage {
  readonly repositories: readonly RepositoryRecord[];
  readonly total: number;
  /** Undefined on the last page. */
  readonly cursor: string | undefined;
}

export interface TokenQuery {
  readonly state: TokenState | "all";
  readonly perPage: number;
  /** From 1. */
  readonly page: number;
}

export interface TokenPage {
  readonly tokens: readonly RepositoryTokenRecord[];
  readonly total: number;
}

/** Access that a token gives to a Git request. */
export interface GitAccess {
  readonly repository: RepositoryRecord;
  readonly scope: RepositoryScope;
  /** For the audit trail. */
  readonly tokenId: string;
}

export interface AuditEntry {
  readonly at: string;
  readonly kind: "created" | "deleted" | "forked" | "imported" | "pushed" | "fetched";
  /** Null if no token was used: REST, binding, or a push from this process. */
  readonly tokenId: string | null;
  /** The source of a fork or import; the refs of a push with their old and new object ids. */
  readonly detail: string | null;
}
