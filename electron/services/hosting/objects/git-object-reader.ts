// The object reader over the machine's Git: one `cat-file` process a request, one more where a ref has to be looked up.
//
// By-hash reads do not ask whether a ref still leads to the object. Every object of a repository came through its own pushes, its
// own import or its own fork (rejected pushes leave nothing, and no repository borrows from another), so a hash opens nothing that
// readers of this repository were not once given.
import { ArtifactsError } from "../artifacts-error.ts";
import type { GitRunner } from "../git/git-runner.ts";
import { checkHash, overLimit, withCatFile, type CatFile, type ObjectType } from "./cat-file.ts";
import {
  maxBlobBytes,
  maxLogLimit,
  type CommitRecord,
  type LogQuery,
  type ObjectReader,
  type RepositoryFile,
} from "./repository-objects.ts";
import { parseCommit } from "./parse-commit.ts";
import { parseTree } from "./parse-tree.ts";
import { readBlobSizes } from "./blob-sizes.ts";
import { resolveRef, splitRefPath } from "./resolve-ref.ts";

/** About 100,000 entries. */
const maxTreeBytes = 4 * 1024 * 1024;
const maxCommitBytes = 4 * 1024 * 1024;
/** Of one log, all its commits together. */
const maxLogBytes = 32 * 1024 * 1024;
const maxPathBytes = 4096;

export function createObjectReader(runner: GitRunner): ObjectReader {
  const readObject = async (
    { directory, hash, signal }: { directory: string; hash: string; signal: AbortSignal | undefined },
    { type, maxBytes }: { type: ObjectType; maxBytes: number },
  ): Promise<Buffer | undefined> => {
    checkHash(hash);
    const object = await withCatFile({ runner, directory, signal }, (catFile) =>
      catFile.read(hash, maxBytes),
    );
    return object?.type === type ? object.bytes : undefined;
  };

  const readAt = async (
    { directory, signal }: { directory: string; signal: AbortSignal | undefined },
    name: string | undefined,
    path: string,
  ): Promise<RepositoryFile | undefined> => {
    const segments = splitPath(path);
    if (name === undefined || segments === undefined) return undefined;
    return withCatFile({ runner, directory, signal }, (catFile) => walk(catFile, name, segments));
  };

  return {
    readBlob: (directory, hash, signal) =>
      readObject({ directory, hash, signal }, { type: "blob", maxBytes: maxBlobBytes }),

    readTree: async (directory, hash, signal) => {
      const bytes = await readObject({ directory, hash, signal }, { type: "tree", maxBytes: maxTreeBytes });
      if (bytes === undefined) return undefined;
      const entries = parseTree(bytes);
      const blobs = entries.filter(({ type }) => type === "blob").map((entry) => entry.hash);
      const sizes = await readBlobSizes({ runner, directory, signal }, blobs);
      return entries.map(({ mode, type, hash: of, name }) => ({
        ...{ mode, type, hash: of, name: name.toString("utf8") },
        size: type === "blob" ? sizes.get(of) : undefined,
      }));
    },

    readCommit: async (directory, hash, signal) => {
      const bytes = await readObject(
        { directory, hash, signal },
        { type: "commit", maxBytes: maxCommitBytes },
      );
      return bytes === undefined ? undefined : parseCommit(hash, bytes);
    },

    readFile: async (directory, { ref, path }, signal) =>
      readAt({ directory, signal }, await resolveRef({ runner, directory, signal }, ref), path),

    readRefPath: async (directory, refPath, signal) => {
      const split = await splitRefPath({ runner, directory, signal }, refPath);
      return split && readAt({ directory, signal }, split.name, split.path);
    },

    log: async (directory, query, signal) => {
      checkLogQuery(query);
      const name = await resolveRef({ runner, directory, signal }, query.ref);
      if (name === undefined) return undefined;
      return withCatFile({ runner, directory, signal }, async (catFile) => {
        const tip = await catFile.read(`${name}^{commit}`, maxCommitBytes);
        if (tip === undefined) return query.ref === "HEAD" ? [] : undefined;
        const hashes = await listFirstParents({ runner, directory, signal }, tip.hash, query);
        return readCommits(catFile, hashes);
      });
    },
  };
}

/** Undefined for a path that can name no file of a tree. */
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
  if (!Number.isInteger(offset) || offset < 0 || offset > 0x7fff_ffff) {
    throw new ArtifactsError("INVALID_INPUT", "The offset must be a whole number from 0.");
  }
}

async function listFirstParents(
  { runner, directory, signal }: { runner: GitRunner; directory: string; signal: AbortSignal | undefined },
  tip: string,
  { limit, offset }: LogQuery,
): Promise<readonly string[]> {
  const output = await runner.run({
    args: [
      ...["rev-list", "--first-parent", `--max-count=${limit}`, `--skip=${offset}`],
      ...["--end-of-options", tip],
    ],
    directory,
    signal,
  });
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
