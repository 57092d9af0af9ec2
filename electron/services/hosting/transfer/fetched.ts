// What both transfers do with a repository that has been fetched into, and the options under which they fetch.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { GitRunner } from "../git/git-runner.ts";

export interface GitPlace {
  readonly runner: GitRunner;
  /** A bare repository. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

/**
 * `-c` pairs. Objects stay in the packs that they come in, and are checked as those of a push are; a tree or commit that inflates
 * beyond `allocationLimit` ends Git, a blob is streamed.
 */
export const fetchOptions: readonly string[] = [
  ...["-c", "fetch.fsckObjects=true", "-c", "fetch.unpackLimit=1", "-c", "core.bigFileThreshold=8m"],
  ...["-c", "fetch.writeCommitGraph=false", "-c", "protocol.version=2"],
];

/** Git's own bound for a single allocation. */
export const allocationLimit = { GIT_ALLOC_LIMIT: "256m" } as const;

export const fetchFlags: readonly string[] = ["--quiet", "--no-write-fetch-head", "--no-recurse-submodules"];

/** Loose ones and those in packs. */
export async function countObjects({ runner, directory, signal }: GitPlace): Promise<number> {
  const output = await runner.run({ args: ["count-objects", "-v"], directory, signal });
  const counts = new Map(
    output
      .toString("latin1")
      .split("\n")
      .map((line): [string, number] => {
        const [name = "", count = ""] = line.split(": ");
        return [name, Number(count)];
      }),
  );
  return (counts.get("count") ?? 0) + (counts.get("in-pack") ?? 0);
}

/** Of all its packs. */
export async function packBytes(directory: string): Promise<number> {
  const folder = join(directory, "objects", "pack");
  const packs = (await readdir(folder)).filter((name) => name.endsWith(".pack"));
  const sizes = await Promise.all(packs.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
