// Commit and tree objects as hosting returns them, parsed from Git's own formats.
import {
  ObjectFault,
  parseCommit as parseGitCommit,
  parseTree as parseGitTree,
} from "../../../sharing/git/object-formats.ts";
import { ArtifactsError } from "../artifacts-error.ts";

export interface Person {
  readonly name: string;
  readonly email: string;
  /** RFC 3339, UTC; null if the commit has no valid time. */
  readonly date: string | null;
}

/** Names and message are as pushed, control characters included: safe in JSON, never in a header or a log. */
export interface CommitRecord {
  readonly hash: string;
  readonly treeHash: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  readonly message: string;
}

export interface TreeEntry {
  /** Six octal digits: `100644`, `040000`, `120000`, `160000`. */
  readonly mode: string;
  /** `commit` is a submodule's link. */
  readonly type: "blob" | "tree" | "commit";
  readonly hash: string;
  /** One path segment; bytes that are not UTF-8 are replaced. */
  readonly name: string;
  /** Byte length of a blob; undefined for other types. */
  readonly size: number | undefined;
}

/** `name` is one path segment as pushed; it may not be UTF-8. */
export type RawTreeEntry = Pick<TreeEntry, "mode" | "type" | "hash"> & { readonly name: Buffer };

/** Returns the error for Git output that does not follow Git's manual. */
export function misread(what: string): ArtifactsError {
  return new ArtifactsError("INTERNAL_ERROR", `Git's ${what} could not be read.`);
}

/** @throws ArtifactsError `INTERNAL_ERROR` if the bytes are not a tree */
export function parseTree(bytes: Buffer): readonly RawTreeEntry[] {
  return parse("tree", () =>
    parseGitTree(bytes).map(({ mode, name, oid }) => ({
      mode: mode.padStart(6, "0"),
      type: toEntryType(mode),
      hash: oid,
      name: Buffer.from(name, "latin1"),
    })),
  );
}

function toEntryType(mode: string): TreeEntry["type"] {
  // The upper bits are the file type of stat(2): 04 is a directory; 16 is Git's own for a submodule.
  const kind = Number.parseInt(mode, 8) >> 12;
  if (kind === 0o04) return "tree";
  return kind === 0o16 ? "commit" : "blob";
}

/**
 * Requires a valid tree and valid parents; names, times and encodings may be anything.
 * @throws ArtifactsError `INTERNAL_ERROR` if the bytes are not a commit
 */
export function parseCommit(hash: string, bytes: Buffer): CommitRecord {
  const { tree, parents } = parse("commit", () => parseGitCommit(bytes));
  const split = bytes.indexOf("\n\n");
  const head = split === -1 ? bytes : bytes.subarray(0, split);
  const decoder = createDecoder(head);
  const message = split === -1 ? "" : decoder.decode(bytes.subarray(split + 2));
  const lines = decoder.decode(head).split("\n");
  return {
    hash,
    treeHash: tree,
    parents,
    author: toPerson(lines, "author"),
    committer: toPerson(lines, "committer"),
    message,
  };
}

const personPattern = /^([^<]*)<([^>]*)>(?: (-?[0-9]{1,15}) [+-][0-9]{4})?/;
/** End of the year 9999. */
const maxSeconds = 253_402_300_799;

/** Reads the first header of this name; continuation lines begin with a space and never match. */
function toPerson(lines: readonly string[], header: string): Person {
  const text = lines.find((line) => line.startsWith(`${header} `))?.slice(header.length + 1) ?? "";
  const match = personPattern.exec(text);
  if (match === null) return { name: text.trim(), email: "", date: null };
  const seconds = Number(match[3] ?? Number.NaN);
  const isTime = seconds >= 0 && seconds <= maxSeconds;
  const date = isTime ? `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z` : null;
  return { name: match[1]!.trim(), email: match[2]!.trim(), date };
}

/** Uses UTF-8 unless the commit names another supported encoding; replaces what it cannot decode. */
function createDecoder(head: Buffer): TextDecoder {
  const label = /\nencoding ([A-Za-z0-9._-]{1,40})(?:\n|$)/.exec(head.toString("latin1"))?.[1];
  try {
    return new TextDecoder(label, { ignoreBOM: true });
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder("utf-8", { ignoreBOM: true });
    throw error;
  }
}

function parse<Result>(what: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof ObjectFault ? misread(what) : error;
  }
}
