// Reading a bare repository's objects for REST and binding: blobs, trees and commits by hash, files and the log by ref. Only the
// interface and its shapes; the reader over Git is made in git-object-reader.ts.

/** More than this is not read at once: `MEMORY_LIMIT`. In bytes. */
export const maxBlobBytes = 32 * 1024 * 1024;
/** Of a log: the most commits that one answer holds. */
export const maxLogLimit = 1000;

export interface Person {
  readonly name: string;
  readonly email: string;
  /** RFC 3339, UTC; null where the commit's own text is no time. */
  readonly date: string | null;
}

/** Names and message are whatever was pushed, control characters included: data for a JSON answer, never for a header or a log. */
export interface CommitRecord {
  readonly hash: string;
  readonly treeHash: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  readonly message: string;
}

export type TreeEntryType = "blob" | "tree" | "commit";

export interface TreeEntry {
  /** Six octal digits: `100644`, `040000`, `120000`, `160000`. */
  readonly mode: string;
  /** `commit` is a submodule's link. */
  readonly type: TreeEntryType;
  readonly hash: string;
  /** One segment; bytes that are no UTF-8 are replaced. */
  readonly name: string;
  /** Bytes of a blob; undefined for the others. */
  readonly size: number | undefined;
}

export interface RepositoryFile {
  /** Of the blob. */
  readonly hash: string;
  readonly mode: string;
  readonly bytes: Buffer;
}

export interface FileQuery {
  /** `HEAD`, a branch, a tag, a whole ref (`refs/…`), or a commit's 40 hex digits. */
  readonly ref: string;
  /** Segments split at `/`; nothing in it is Git syntax. A link's own text is the file; it is not followed. */
  readonly path: string;
}

export interface LogQuery {
  readonly ref: string;
  /** 1 to 1,000. */
  readonly limit: number;
  /** Commits skipped, from 0. */
  readonly offset: number;
}

/**
 * `directory` is the absolute path of a bare repository (`Repositories.directoryOf`). What is not there, or is of another type, is
 * undefined.
 * @throws ArtifactsError `INVALID_INPUT` for a hash that is not 40 lower-case hex digits, or a limit or offset out of its bounds;
 * `MEMORY_LIMIT` above `maxBlobBytes`; `UPSTREAM_UNAVAILABLE` without Git
 */
export interface ObjectReader {
  readBlob(directory: string, hash: string, signal?: AbortSignal): Promise<Buffer | undefined>;
  readTree(directory: string, hash: string, signal?: AbortSignal): Promise<readonly TreeEntry[] | undefined>;
  readCommit(directory: string, hash: string, signal?: AbortSignal): Promise<CommitRecord | undefined>;
  readFile(directory: string, query: FileQuery, signal?: AbortSignal): Promise<RepositoryFile | undefined>;
  /** `REF/PATH` with slashes in either: the longest ref that exists is the ref. */
  readRefPath(directory: string, refPath: string, signal?: AbortSignal): Promise<RepositoryFile | undefined>;
  /** First parents, newest first. Empty for the HEAD of a repository without commits; undefined for a ref that is not there. */
  log(directory: string, query: LogQuery, signal?: AbortSignal): Promise<readonly CommitRecord[] | undefined>;
}
