// Repository hosting as the rest of Echotop sees it: one object over metadata and bare repositories. REST, binding and the
// Git transport are three doors to it. Every function throws ArtifactsError.
import type {
  MintedToken,
  NamespaceRecord,
  RepositoryRecord,
  RepositoryScope,
  RepositoryTokenRecord,
  TokenState,
} from "./hosting-records.ts";

export interface CreateDraft {
  readonly name: string;
  readonly description?: string | null | undefined;
  /** `main` unless given. */
  readonly defaultBranch?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

export interface CreatedRepository {
  readonly repository: RepositoryRecord;
  /** A first token of scope write. */
  readonly token: MintedToken;
}

export interface ForkedRepository extends CreatedRepository {
  readonly objects: number;
}

export const repositorySorts = ["created_at", "updated_at", "last_push_at", "name"] as const;
export type RepositorySort = (typeof repositorySorts)[number];

export interface ListQuery {
  /** 1 to 200. */
  readonly limit: number;
  /** Of a list before; `INVALID_INPUT` where it is none of ours. */
  readonly cursor?: string | undefined;
  /** A part of the name, compared without case. */
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

export interface ForkDraft extends Omit<CreateDraft, "defaultBranch"> {
  readonly defaultBranchOnly?: boolean | undefined;
}

export interface ImportDraft {
  readonly url: string;
  readonly branch?: string | undefined;
  readonly depth?: number | undefined;
  readonly readOnly?: boolean | undefined;
  readonly description?: string | null | undefined;
}

/** What a Git request may do, once its token was looked at. */
export interface GitAccess {
  readonly repository: RepositoryRecord;
  readonly scope: RepositoryScope;
  /** Who it was: the token's id, for the audit trail. */
  readonly tokenId: string;
}

export const auditKinds = ["created", "deleted", "forked", "imported", "pushed", "fetched"] as const;
export interface AuditEntry {
  readonly at: string;
  readonly kind: (typeof auditKinds)[number];
  readonly tokenId: string | null;
  /** The refs that were pushed, with their old and new object ids. */
  readonly detail: string | null;
}

export interface Repositories {
  create(namespace: string, draft: CreateDraft): Promise<CreatedRepository>;
  /** Undefined when there is none of this name. */
  find(namespace: string, name: string): Promise<RepositoryRecord | undefined>;
  list(namespace: string, query: ListQuery): Promise<RepositoryPage>;
  /** The id of what was deleted, undefined when there was none. The folder goes after the row, also after a crash. */
  delete(namespace: string, name: string): Promise<string | undefined>;
  /** `name` is the one that is copied. `objects` counts those of the fork. An abort leaves nothing behind. */
  fork(namespace: string, name: string, draft: ForkDraft, signal?: AbortSignal): Promise<ForkedRepository>;
  /** `name` is the new one. An abort leaves nothing behind. */
  import(
    namespace: string,
    name: string,
    draft: ImportDraft,
    signal?: AbortSignal,
  ): Promise<CreatedRepository>;
  /** In the order of their names. */
  listNamespaces(): Promise<readonly NamespaceRecord[]>;
  findNamespace(namespace: string): Promise<NamespaceRecord | undefined>;
  createNamespace(namespace: string): Promise<NamespaceRecord>;

  /** `ttl` in seconds, 60 to 31,536,000; 86,400 unless given. */
  createToken(
    namespace: string,
    name: string,
    draft: { readonly scope: RepositoryScope; readonly ttl?: number | undefined },
  ): Promise<MintedToken>;
  listTokens(
    namespace: string,
    name: string,
    query: TokenQuery,
  ): Promise<{ readonly tokens: readonly RepositoryTokenRecord[]; readonly total: number }>;
  /**
   * By id or by the token itself, within the namespace, or within the repository `name` where that is given. False when there is
   * none, or it was revoked before.
   */
  revokeToken(namespace: string, tokenOrId: string, name?: string): Promise<boolean>;

  /** Undefined for whatever does not open this repository: unknown, wrong, expired, revoked, another's. */
  authorizeGit(namespace: string, name: string, secret: string): Promise<GitAccess | undefined>;
  /** Absolute path of the bare repository. */
  directoryOf(repository: RepositoryRecord): string;
  /** After refs were changed by a push. `tokenId` is null for a push from this process. */
  notePush(repository: RepositoryRecord, tokenId: string | null, detail: string): Promise<void>;
  noteFetch(repository: RepositoryRecord, tokenId: string): Promise<void>;
  /** Newest first, of all repositories that ever had this name; the oldest entries are forgotten. */
  listAudit(namespace: string, name: string, limit: number): Promise<readonly AuditEntry[]>;
  /** Aborts forks and imports under way, waits for them, and lets another host have the directory. Idempotent. */
  close(): Promise<void>;
}
