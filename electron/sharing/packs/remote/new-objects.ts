// Lists the objects that a revision's commit adds to its parent's. Folders that both have are skipped, so the work
// grows with what is new, not with what exists.
import {
  folderMode,
  parseCommit,
  parseTree,
  submoduleMode,
  type TreeEntry,
} from "../../git/object-formats.ts";
import type { ObjectReader } from "../../git/object-reader.ts";
import { eventPackLimits } from "../event-pack-limits.ts";

export interface Commit {
  readonly oid: string;
  readonly tree: string;
  /** First parent. */
  readonly parent: string | undefined;
}

export interface ObjectLister {
  readCommit(oid: string): Promise<Commit>;
  /** Returns the commit, its new folders and files; some may exist already under another path. */
  listNew(commit: Commit): Promise<readonly string[]>;
}

type Entries = ReadonlyMap<string, TreeEntry>;

const { maxCommitBytes, maxTreeBytes } = eventPackLimits;

/** Its methods throw as the reader does for missing or damaged objects. */
export function createObjectLister(reader: ObjectReader): ObjectLister {
  // The folders of a commit are cached, because the next commit is compared with them.
  let before = new Map<string, Entries>();
  let now = new Map<string, Entries>();
  const readEntries = async (oid: string): Promise<Entries> => {
    let entries = before.get(oid) ?? now.get(oid);
    if (!entries) {
      const parsed = parseTree(await reader.read(oid, "tree", maxTreeBytes));
      entries = new Map(parsed.map((entry) => [entry.name, entry]));
    }
    now.set(oid, entries);
    return entries;
  };
  const gather = async (oid: string, old: string | undefined, found: string[]): Promise<void> => {
    if (oid === old) return;
    found.push(oid);
    const oldEntries = old === undefined ? undefined : await readEntries(old);
    for (const entry of (await readEntries(oid)).values()) {
      const was = oldEntries?.get(entry.name);
      if (was?.oid === entry.oid) continue;
      if (entry.mode === folderMode) {
        await gather(entry.oid, was?.mode === folderMode ? was.oid : undefined, found);
      } else if (entry.mode !== submoduleMode) found.push(entry.oid);
    }
  };
  const readCommit = async (oid: string): Promise<Commit> => {
    const { tree, parents } = parseCommit(await reader.read(oid, "commit", maxCommitBytes));
    return { oid, tree, parent: parents[0] };
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
