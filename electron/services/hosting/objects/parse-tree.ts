// Tree objects as hosting shows them: the shared parser's entries with their types.
import { ObjectFault, parseTree as parseGitTree } from "../../../sharing/git/object-formats.ts";
import { misread } from "./output-reader.ts";
import type { TreeEntryType } from "./repository-objects.ts";

export interface RawTreeEntry {
  /** Six octal digits. */
  readonly mode: string;
  readonly type: TreeEntryType;
  readonly hash: string;
  /** One path segment as it was pushed; may not be UTF-8. */
  readonly name: Buffer;
}

/** @throws ArtifactsError `INTERNAL_ERROR` if the bytes are not a tree */
export function parseTree(bytes: Buffer): readonly RawTreeEntry[] {
  try {
    return parseGitTree(bytes).map(({ mode, name, oid }) => ({
      mode: mode.padStart(6, "0"),
      type: typeOf(mode),
      hash: oid,
      name: Buffer.from(name, "latin1"),
    }));
  } catch (error) {
    throw error instanceof ObjectFault ? misread("tree") : error;
  }
}

function typeOf(mode: string): TreeEntryType {
  // The upper bits are the file type, as in stat(2): 04 is a directory, 16 is Git's own for a submodule.
  const kind = Number.parseInt(mode, 8) >> 12;
  if (kind === 0o04) return "tree";
  return kind === 0o16 ? "commit" : "blob";
}
