// Objects as REST shows them: the records' fields in snake_case.
import type { CommitRecord, TreeEntry } from "./repository-objects.ts";

export interface WireCommit {
  readonly hash: string;
  readonly tree_hash: string;
  readonly parents: CommitRecord["parents"];
  readonly author: CommitRecord["author"];
  readonly committer: CommitRecord["committer"];
  readonly message: string;
}

export function toWireCommit({ treeHash, ...commit }: CommitRecord): WireCommit {
  const { hash, parents, author, committer, message } = commit;
  return { hash, tree_hash: treeHash, parents, author, committer, message };
}

export type WireTreeEntry = Omit<TreeEntry, "size"> & { readonly size?: number };

/** `size` stands at blobs alone. */
export function toWireTreeEntry({ size, ...entry }: TreeEntry): WireTreeEntry {
  return size === undefined ? entry : { ...entry, size };
}
