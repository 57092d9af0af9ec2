// What hosting knows of a repository, a token and a namespace, beside the Git objects themselves.

export const repositoryStatuses = ["creating", "ready", "importing", "forking"] as const;
export type RepositoryStatus = (typeof repositoryStatuses)[number];

export interface RepositoryRecord {
  /** 16 of `[0-9a-z]`, never given twice; names the folder on disk. */
  readonly id: string;
  readonly namespace: string;
  /** As it was created; names are compared without case. */
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

export const repositoryScopes = ["read", "write"] as const;
export type RepositoryScope = (typeof repositoryScopes)[number];

export type TokenState = "active" | "expired" | "revoked";

export interface RepositoryTokenRecord {
  readonly id: string;
  readonly scope: RepositoryScope;
  readonly state: TokenState;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** The only moment at which the secret is there to be seen. */
export interface MintedToken {
  readonly id: string;
  /** `art_v1_<40 hex>?expires=<unix seconds>` */
  readonly plaintext: string;
  readonly scope: RepositoryScope;
  readonly expiresAt: string;
}

export interface NamespaceRecord {
  readonly namespace: string;
  readonly repoCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}
