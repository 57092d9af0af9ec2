// The commits of an untrusted pack: one line from the newest to the first. The id of the first identifies the pack.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import type { EventPackLimits } from "./event-pack-limits.ts";
import { parseCommit } from "../git/object-formats.ts";
import type { ObjectReader } from "../git/object-reader.ts";
import { mainRef, readHead, readRef } from "../git/refs.ts";
import { atPath, refusal } from "./refusal.ts";

export interface PackHistory {
  /** The newest commit, and its tree. */
  readonly commit: string;
  readonly tree: string;
  /** The first commit. */
  readonly root: string;
}

/** @throws AppError `source-invalid`; `not-found` if the repository has no commit */
export async function readHistory(
  gitdir: string,
  reader: ObjectReader,
  { maxCommits, maxCommitBytes }: EventPackLimits,
  signal: AbortSignal | undefined,
): Promise<PackHistory> {
  const commit = (await readRef(gitdir, mainRef)) ?? (await readHead(gitdir));
  if (commit === undefined)
    throw new AppError("not-found", "The repository has no commit, so there is no pack in it.");
  if (existsSync(join(gitdir, "shallow"))) {
    throw refusal("shallow", "The clone is shallow and lacks the first commit; fetch the full history.");
  }
  let tree: string | undefined;
  let oid = commit;
  for (let count = 1; ; count += 1) {
    signal?.throwIfAborted();
    const where = `commit ${oid}`;
    const facts = await atPath(where, async () =>
      parseCommit(await reader.read(oid, "commit", maxCommitBytes)),
    );
    tree ??= facts.tree;
    const [parent, ...others] = facts.parents;
    if (parent === undefined) return { commit, tree, root: oid };
    if (others.length > 0) throw refusal(where, "It is a merge; a pack has one line of commits.");
    if (count >= maxCommits) throw refusal(where, `The pack has more than ${maxCommits} commits.`);
    oid = parent;
  }
}
