// Reads a bare repository's objects for REST and the binding: one `cat-file` process per request, and one more to look
// up a ref.
//
// Reads by hash do not check that a ref still leads to the object. Every object of a repository came through its own
// pushes, import or fork (rejected pushes leave nothing, and no repository borrows from another), so a hash opens
// nothing that readers of this repository did not once have.
import { ArtifactsError } from "../artifacts-error.ts";
import type { GitPlace, GitRunner } from "../git/git-runner.ts";
import { maxBlobBytes, maxCommitBytes, maxLogBytes, maxLogLimit, maxTreeBytes } from "../hosting-limits.ts";
import {
  checkHash,
  overLimit,
  readBlobSizes,
  withCatFile,
  type CatFile,
  type ObjectType,
} from "./cat-file.ts";
import { parseCommit, parseTree, type CommitRecord, type TreeEntry } from "./object-parsers.ts";
import { resolveRef, splitRefPath } from "./resolve-ref.ts";

export interface RepositoryFile {
  /** The blob's hash. */
  readonly hash: string;
  readonly mode: string;
  readonly bytes: Buffer;
}

export interface FileQuery {
  /** `HEAD`, a branch, a tag, a whole ref (`refs/…`), or a commit's 40 hex digits. */
  readonly ref: string;
  /** Segments separated by `/`, without Git syntax. A symbolic link is returned as its own text, not followed. */
  readonly path: string;
}

export interface LogQuery {
  readonly ref: string;
  /** 1 to 1,000. */
  readonly limit: number;
  /** Number of commits to skip. */
  readonly offset: number;
}

const maxPathBytes = 4096;
const maxOffset = 0x7fff_ffff;

/**
 * `directory` is the absolute path of a bare repository. Missing objects, and objects of another type, are undefined.
 * @throws ArtifactsError `INVALID_INPUT` for an invalid hash, limit or offset; `MEMORY_LIMIT` above the limits of an
 * object; `UPSTREAM_UNAVAILABLE` without Git
 */
export interface ObjectReader {
  readBlob(directory: string, hash: string, signal?: AbortSignal): Promise<Buffer | undefined>;
  readTree(directory: string, hash: string, signal?: AbortSignal): Promise<readonly TreeEntry[] | undefined>;
  readCommit(directory: string, hash: string, signal?: AbortSignal): Promise<CommitRecord | undefined>;
  readFile(directory: string, query: FileQuery, signal?: AbortSignal): Promise<RepositoryFile | undefined>;
  /** Reads `REF/PATH` with slashes in either part: the longest ref that exists is the ref. */
  readRefPath(directory: string, refPath: string, signal?: AbortSignal): Promise<RepositoryFile | undefined>;
  /** Returns first parents, newest first. Empty for the HEAD of an empty repository; undefined for a missing ref. */
  log(directory: string, query: LogQuery, signal?: AbortSignal): Promise<readonly CommitRecord[] | undefined>;
}

export function createObjectReader(runner: GitRunner): ObjectReader {
  return {
    readBlob: (directory, hash, signal) =>
      readObject({ runner, directory, signal }, hash, { type: "blob", maxBytes: maxBlobBytes }),

    async readTree(directory, hash, signal) {
      const place = { runner, directory, signal };
      const bytes = await readObject(place, hash, { type: "tree", maxBytes: maxTreeBytes });
      if (bytes === undefined) return undefined;
      const entries = parseTree(bytes);
      const blobs = entries.filter(({ type }) => type === "blob").map((entry) => entry.hash);
      const sizes = await readBlobSizes(place, blobs);
      return entries.map(({ name, ...entry }) => ({
        ...entry,
        name: name.toString("utf8"),
        size: entry.type === "blob" ? sizes.get(entry.hash) : undefined,
      }));
    },

    async readCommit(directory, hash, signal) {
      const place = { runner, directory, signal };
      const bytes = await readObject(place, hash, { type: "commit", maxBytes: maxCommitBytes });
      return bytes && parseCommit(hash, bytes);
    },

    async readFile(directory, { ref, path }, signal) {
      const place = { runner, directory, signal };
      return readPath(place, await resolveRef(place, ref), path);
    },

    async readRefPath(directory, refPath, signal) {
      const place = { runner, directory, signal };
      const split = await splitRefPath(place, refPath);
      return split && readPath(place, split.name, split.path);
    },

    async log(directory, query, signal) {
      checkLogQuery(query);
      const place = { runner, directory, signal };
      const name = await resolveRef(place, query.ref);
      if (name === undefined) return undefined;
      return withCatFile(place, async (catFile) => {
        const tip = await catFile.read(`${name}^{commit}`, maxCommitBytes);
        if (tip === undefined) return query.ref === "HEAD" ? [] : undefined;
        return readCommits(catFile, await listFirstParents(place, tip.hash, query));
      });
    },
  };
}

async function readObject(
  place: GitPlace,
  hash: string,
  { type, maxBytes }: { readonly type: ObjectType; readonly maxBytes: number },
): Promise<Buffer | undefined> {
  checkHash(hash);
  const object = await withCatFile(place, (catFile) => catFile.read(hash, maxBytes));
  return object?.type === type ? object.bytes : undefined;
}

async function readPath(
  place: GitPlace,
  name: string | undefined,
  path: string,
): Promise<RepositoryFile | undefined> {
  const segments = splitPath(path);
  if (name === undefined || segments === undefined) return undefined;
  return withCatFile(place, (catFile) => walk(catFile, name, segments));
}

/** Returns undefined for a path that no file of a tree can have. */
function splitPath(path: string): readonly Buffer[] | undefined {
  if (!path.isWellFormed() || path.includes("\0") || Buffer.byteLength(path) > maxPathBytes) return undefined;
  const segments = path.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) return undefined;
  return segments.map((segment) => Buffer.from(segment, "utf8"));
}

async function walk(
  catFile: CatFile,
  name: string,
  segments: readonly Buffer[],
): Promise<RepositoryFile | undefined> {
  let tree = await catFile.read(`${name}^{commit}^{tree}`, maxTreeBytes);
  for (const [index, segment] of segments.entries()) {
    const entry = tree && parseTree(tree.bytes).find((each) => each.name.equals(segment));
    const isLast = index === segments.length - 1;
    if (entry?.type !== (isLast ? "blob" : "tree")) return undefined;
    if (!isLast) {
      tree = await catFile.read(entry.hash, maxTreeBytes);
      if (tree?.type !== "tree") return undefined;
      continue;
    }
    const blob = await catFile.read(entry.hash, maxBlobBytes);
    return blob?.type === "blob" ? { hash: blob.hash, mode: entry.mode, bytes: blob.bytes } : undefined;
  }
  return undefined;
}

function checkLogQuery({ limit, offset }: LogQuery): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLogLimit) {
    throw new ArtifactsError("INVALID_INPUT", `The limit must be a whole number from 1 to ${maxLogLimit}.`);
  }
  if (!Number.isInteger(offset) || offset < 0 || offset > maxOffset) {
    throw new ArtifactsError("INVALID_INPUT", `The offset must be a whole number from 0 to ${maxOffset}.`);
  }
}

async function listFirstParents(
  { runner, directory, signal }: GitPlace,
  tip: string,
  { limit, offset }: LogQuery,
): Promise<readonly string[]> {
  const range = [`--max-count=${limit}`, `--skip=${offset}`];
  const args = ["rev-list", "--first-parent", ...range, "--end-of-options", tip];
  const output = await runner.run({ args, directory, signal });
  return output.toString("latin1").split("\n").filter(Boolean);
}

async function readCommits(catFile: CatFile, hashes: readonly string[]): Promise<readonly CommitRecord[]> {
  const commits: CommitRecord[] = [];
  let bytes = 0;
  for await (const commit of catFile.readEach(hashes, maxCommitBytes)) {
    if (commit === undefined) continue;
    bytes += commit.size;
    if (bytes > maxLogBytes) throw overLimit();
    commits.push(parseCommit(commit.hash, commit.bytes));
  }
  return commits;
}
