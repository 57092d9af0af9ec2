// The object that in-process code works with: no token, camelCase, null for objects that are not there.
import type { CommitRecord, TreeEntry } from "./objects/repository-objects.ts";
import type {
  MintedToken,
  RepositoryRecord,
  RepositoryScope,
  RepositoryTokenRecord,
} from "./hosting-records.ts";

export type ArtifactsRepoRecord = Omit<RepositoryRecord, "namespace">;

export interface ArtifactsRepoInfo extends ArtifactsRepoRecord {
  readonly remote: string;
}

export interface ArtifactsCreateResult {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly defaultBranch: string;
  readonly remote: string;
  /** A first token of scope write, for a day. */
  readonly token: string;
}

export interface ArtifactsForkResult extends ArtifactsCreateResult {
  readonly objects: number;
}

export interface ArtifactsCreateOptions {
  readonly readOnly?: boolean | undefined;
  readonly description?: string | null | undefined;
  readonly setDefaultBranch?: string | undefined;
}

export interface ArtifactsImportOptions {
  readonly source: {
    readonly url: string;
    readonly branch?: string | undefined;
    readonly depth?: number | undefined;
  };
  readonly target: {
    readonly name: string;
    readonly opts?: Omit<ArtifactsCreateOptions, "setDefaultBranch"> | undefined;
  };
}

export interface ArtifactsForkOptions extends Omit<ArtifactsCreateOptions, "setDefaultBranch"> {
  /** True unless given. */
  readonly defaultBranchOnly?: boolean | undefined;
}

export interface ArtifactsListResult {
  readonly repos: readonly ArtifactsRepoRecord[];
  readonly total: number;
  /** Absent on the last page. */
  readonly cursor?: string;
}

/**
 * One repository. It stays with the repository that it was got for: when that is deleted, every method throws `NOT_FOUND`, also
 * when another has its name. Every method throws ArtifactsError.
 */
export interface ArtifactsRepo {
  info(): Promise<ArtifactsRepoInfo>;
  /** Scope `write` and 86,400 seconds unless given. */
  createToken(scope?: RepositoryScope, ttl?: number): Promise<MintedToken>;
  /** The newest hundred, in whatever state. */
  listTokens(): Promise<{ readonly tokens: readonly RepositoryTokenRecord[]; readonly total: number }>;
  /** False when there is none, or it was revoked before. */
  revokeToken(tokenOrId: string): Promise<boolean>;
  readBlob(hash: string): Promise<Blob | null>;
  readTree(hash: string): Promise<readonly TreeEntry[] | null>;
  readCommit(hash: string): Promise<CommitRecord | null>;
  /** `ref` is HEAD unless given. */
  readFile(query: { readonly ref?: string | undefined; readonly path: string }): Promise<Blob | null>;
  /** First parents, newest first; 50 of HEAD from the first on unless given. Null for a ref that is not there. */
  log(query?: {
    readonly ref?: string | undefined;
    readonly limit?: number | undefined;
    readonly offset?: number | undefined;
  }): Promise<readonly CommitRecord[] | null>;
  fork(name: string, options?: ArtifactsForkOptions): Promise<ArtifactsForkResult>;
}

/** One namespace. Every method throws ArtifactsError. */
export interface ArtifactsNamespace {
  create(name: string, options?: ArtifactsCreateOptions): Promise<ArtifactsCreateResult>;
  /** Code of a compatibility date before 2026-11-20 finds the fields of `info()` on the handle, as they were when it was got. */
  get(name: string): Promise<ArtifactsRepo & Partial<ArtifactsRepoInfo>>;
  /** The newest first; `limit` is 1 to 200, 50 unless given. */
  list(options?: {
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
  }): Promise<ArtifactsListResult>;
  /** False when there was none. */
  delete(name: string): Promise<boolean>;
  import(options: ArtifactsImportOptions): Promise<ArtifactsCreateResult>;
}
