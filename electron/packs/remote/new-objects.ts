// Which objects a revision's commit adds to those of the commit before it: where both have the same folder, nothing below is
// looked at, so that the work follows what is new and not what is there.
import fs from "node:fs";
import * as git from "isomorphic-git";

export interface Commit {
  readonly oid: string;
  readonly tree: string;
  /** The first. */
  readonly parent: string | undefined;
}

export interface ObjectLister {
  readCommit(oid: string): Promise<Commit>;
  /** The commit itself, its new folders and files; an object may be named that was there under another path. */
  listNew(commit: Commit): Promise<readonly string[]>;
}

type Entries = ReadonlyMap<string, git.TreeEntry>;

/** @param gitdir a bare repository that is complete */
export function createObjectLister(gitdir: string, cache: object): ObjectLister {
  // A commit's folders are those that the next one is compared with.
  let before = new Map<string, Entries>();
  let now = new Map<string, Entries>();
  const readEntries = async (oid: string): Promise<Entries> => {
    const known = before.get(oid) ?? now.get(oid);
    const entries =
      known ??
      new Map((await git.readTree({ fs, gitdir, oid, cache })).tree.map((entry) => [entry.path, entry]));
    now.set(oid, entries);
    return entries;
  };
  const gather = async (oid: string, old: string | undefined, found: string[]): Promise<void> => {
    if (oid === old) return;
    found.push(oid);
    const oldEntries = old === undefined ? undefined : await readEntries(old);
    for (const entry of (await readEntries(oid)).values()) {
      const was = oldEntries?.get(entry.path);
      if (was?.oid === entry.oid) continue;
      if (entry.type === "tree") await gather(entry.oid, was?.type === "tree" ? was.oid : undefined, found);
      else if (entry.type === "blob") found.push(entry.oid);
    }
  };
  const readCommit = async (oid: string): Promise<Commit> => {
    const { commit } = await git.readCommit({ fs, gitdir, oid, cache });
    return { oid, tree: commit.tree, parent: commit.parent[0] };
  };
  return {
    readCommit,
    async listNew({ oid, tree, parent }) {
      before = now;
      now = new Map();
      const found = [oid];
      const old = parent === undefined ? undefined : (await readCommit(parent)).tree;
      await gather(tree, old, found);
      return found;
    },
  };
}
