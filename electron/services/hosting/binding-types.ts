// The types of the function binding: camelCase, no token needed, null for missing objects.
import type {
  ForkDraft,
  ImportDraft,
  MintedToken,
  RepositoryRecord,
  RepositoryScope,
  TokenPage,
} from "./hosting-records.ts";
import type { CommitRecord, TreeEntry } from "./objects/object-parsers.ts";

export type ArtifactsRepoRecord = Omit<RepositoryRecord, "namespace">;

export interface ArtifactsRepoInfo extends ArtifactsRepoRecord {
  readonly remote: string;
}

export interface ArtifactsCreateResult extends Pick<
  ArtifactsRepoInfo,
  "id" | "name" | "description" | "defaultBranch" | "remote"
> {
  /** The first token: scope `write`, valid for a day. */
  readonly token: string;
}

export interface ArtifactsForkResult extends ArtifactsCreateResult {
  readonly objects: number;
}

interface CommonOptions {
  readonly readOnly?: boolean | undefined;
  readonly description?: string | null | undefined;
}

export interface ArtifactsCreateOptions extends CommonOptions {
  readonly setDefaultBranch?: string | undefined;
}

export interface ArtifactsImportOptions {
  readonly source: Pick<ImportDraft, "url" | "branch" | "depth">;
  readonly target: { readonly name: string; readonly opts?: CommonOptions | undefined };
}

export interface ArtifactsListResult {
  readonly repos: readonly ArtifactsRepoRecord[];
  readonly total: number;
  /** Absent on the last page. */
  readonly cursor?: string;
}

/**
 * One repository. The handle stays with it: once it is deleted, every method throws `NOT_FOUND`, even if another
 * repository has its name. Every method throws ArtifactsError.
 */
export interface ArtifactsRepo {
  info(): Promise<ArtifactsRepoInfo>;
  /** Default scope `write`, default lifetime 86,400 seconds. */
  createToken(scope?: RepositoryScope, ttl?: number): Promise<MintedToken>;
  /** Returns the newest hundred, in any state. */
  listTokens(): Promise<TokenPage>;
  /** Returns false if no token matches or it was already revoked. */
  revokeToken(tokenOrId: string): Promise<boolean>;
  readBlob(hash: string): Promise<Blob | null>;
  readTree(hash: string): Promise<readonly TreeEntry[] | null>;
  readCommit(hash: string): Promise<CommitRecord | null>;
  /** Default `ref` is HEAD. */
  readFile(query: { readonly ref?: string | undefined; readonly path: string }): Promise<Blob | null>;
  /** Returns first parents, newest first; default 50 of HEAD from offset 0. Null if the ref does not exist. */
  log(query?: {
    readonly ref?: string | undefined;
    readonly limit?: number | undefined;
    readonly offset?: number | undefined;
  }): Promise<readonly CommitRecord[] | null>;
  fork(name: string, options?: Omit<ForkDraft, "name">): Promise<ArtifactsForkResult>;
}

/** One namespace. Every method throws ArtifactsError. */
export interface ArtifactsNamespace {
  create(name: string, options?: ArtifactsCreateOptions): Promise<ArtifactsCreateResult>;
  /** With a compatibility date before 2026-11-20, the handle also has the fields of `info()` as of this call. */
  get(name: string): Promise<ArtifactsRepo & Partial<ArtifactsRepoInfo>>;
  /** Returns the newest first; `limit` is 1 to 200, default 50. */
  list(options?: {
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
  }): Promise<ArtifactsListResult>;
  /** Returns false if there was none. */
  delete(name: string): Promise<boolean>;
  import(options: ArtifactsImportOptions): Promise<ArtifactsCreateResult>;
}
