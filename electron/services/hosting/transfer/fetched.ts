// Shared by forks and imports: the options under which they fetch, and what they measure afterwards.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { GitPlace } from "../git/git-runner.ts";

export interface Transferred {
  /** Number of objects in the new repository. */
  readonly objects: number;
  /** The caller points HEAD at it. */
  readonly defaultBranch: string;
}

/** The new bare repository. */
export interface TransferTarget extends GitPlace {
  readonly signal: AbortSignal;
}

/**
 * `-c` pairs. Objects stay in the packs in which they arrive, and are checked like those of a push. A tree or commit
 * that inflates beyond `allocationLimit` ends Git; blobs are streamed.
 */
export const fetchOptions: readonly string[] = [
  ...["-c", "fetch.fsckObjects=true", "-c", "fetch.unpackLimit=1", "-c", "core.bigFileThreshold=8m"],
  ...["-c", "fetch.writeCommitGraph=false", "-c", "protocol.version=2"],
];

/** Git's own limit for a single allocation. */
export const allocationLimit = { GIT_ALLOC_LIMIT: "256m" } as const;

export const fetchFlags: readonly string[] = ["--quiet", "--no-write-fetch-head", "--no-recurse-submodules"];

export const allBranchesAndTags: readonly string[] = [
  "+refs/heads/*:refs/heads/*",
  "+refs/tags/*:refs/tags/*",
];

/** Counts loose and packed objects. */
export async function countObjects({ runner, directory, signal }: GitPlace): Promise<number> {
  const output = await runner.run({ args: ["count-objects", "-v"], directory, signal });
  const counts = output.toString("latin1").matchAll(/^(?:count|in-pack): (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Returns the byte length of all packs. */
export async function packBytes(directory: string): Promise<number> {
  const folder = join(directory, "objects", "pack");
  const packs = (await readdir(folder)).filter((name) => name.endsWith(".pack"));
  const sizes = await Promise.all(packs.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
