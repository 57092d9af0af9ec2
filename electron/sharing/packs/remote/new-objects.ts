// Which objects a revision's commit adds to those of the commit before it: where both have the same folder, nothing below is
// looked at, so that the work follows what is new and not what is there.
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
  /** The first. */
  readonly parent: string | undefined;
}

export interface ObjectLister {
  readCommit(oid: string): Promise<Commit>;
  /** The commit itself, its new folders and files; an object may be named that was there under another path. */
  listNew(commit: Commit): Promise<readonly string[]>;
}

type Entries = ReadonlyMap<string, TreeEntry>;

const { maxCommitBytes, maxTreeBytes } = eventPackLimits;

/** Throws as the reader does for what is missing or damaged. */
export function createObjectLister(reader: ObjectReader): ObjectLister {
  // A commit's folders are those that the next one is compared with.
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
