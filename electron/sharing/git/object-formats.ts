// Git objects as bytes: object ids, trees and commits (gitformat: "tree", "commit"; Documentation/git-hash-object). The
// parsers take untrusted bytes and set no bound on size: the reader of the object does.
import { createHash } from "node:crypto";

/** A missing, damaged or oversized object. `message` is a sentence about it: "It is missing from the object store." */
export class ObjectFault extends Error {
  override readonly name = "ObjectFault";
}

export const objectTypes = ["commit", "tree", "blob", "tag"] as const;
export type ObjectType = (typeof objectTypes)[number];

export const oidPattern = /^[0-9a-f]{40}$/;
const oidBytes = 20;

/** Returns the header that Git hashes and deflates before the content: type, space, length, zero byte. */
export function headerOf(type: ObjectType, byteLength: number): Buffer {
  return Buffer.from(`${type} ${byteLength}\0`, "latin1");
}

/** Returns the object id: SHA-1, lower-case hexadecimal. */
export function oidOf(type: ObjectType, content: Uint8Array): string {
  return createHash("sha1").update(headerOf(type, content.byteLength)).update(content).digest("hex");
}

export const fileMode = "100644";
export const folderMode = "40000";
/** A submodule: the object is a commit of another repository. */
export const submoduleMode = "160000";

export interface TreeEntry {
  /** Five or six octal digits, as written. */
  readonly mode: string;
  /** Any bytes except zero and the slash; latin1, one character a byte. */
  readonly name: string;
  readonly oid: string;
}

/** Returns the key that orders entries in a tree: names as bytes, a folder as if its name ended in a slash. */
export function treeKeyOf({ mode, name }: TreeEntry): string {
  return mode === folderMode ? `${name}/` : name;
}

export function encodeTreeEntry({ mode, name, oid }: TreeEntry): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`, "latin1"), Buffer.from(oid, "hex")]);
}

/** Sorts the entries into Git's order. */
export function encodeTree(entries: Iterable<TreeEntry>): Buffer {
  const sorted = [...entries].sort((a, b) => (treeKeyOf(a) < treeKeyOf(b) ? -1 : 1));
  return Buffer.concat(sorted.map(encodeTreeEntry));
}

/** @throws ObjectFault if the bytes are not a tree */
export function parseTree(bytes: Uint8Array): readonly TreeEntry[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: TreeEntry[] = [];
  for (let at = 0; at < buffer.length;) {
    const end = buffer.indexOf(0, at);
    const next = end + 1 + oidBytes;
    const [, mode, name] =
      /^([0-7]{5,6}) ([^/]+)$/s.exec(buffer.toString("latin1", at, Math.max(end, at))) ?? [];
    if (mode === undefined || name === undefined || next > buffer.length) {
      throw new ObjectFault("It is not a valid Git tree.");
    }
    entries.push({ mode, name, oid: buffer.toString("hex", end + 1, next) });
    at = next;
  }
  return entries;
}

export interface CommitLinks {
  readonly tree: string;
  readonly parents: readonly string[];
}

export interface CommitDraft extends CommitLinks {
  /** One line. */
  readonly message: string;
  /** Seconds since the Unix epoch. */
  readonly atSeconds: number;
}

const identity = "Echotop <echotop@localhost>";

/** Equal drafts give equal bytes: no person, clock or time zone goes in. */
export function encodeCommit({ tree, parents, message, atSeconds }: CommitDraft): Buffer {
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${identity} ${atSeconds} +0000`,
    `committer ${identity} ${atSeconds} +0000`,
    "",
    `${message}\n`,
  ];
  return Buffer.from(lines.join("\n"), "utf8");
}

/** @throws ObjectFault if the bytes are not a commit */
export function parseCommit(bytes: Uint8Array): CommitLinks {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const [, tree, parents = ""] =
    /^tree ([0-9a-f]{40})(?:\n|$)((?:parent [0-9a-f]{40}(?:\n|$))*)/.exec(text) ?? [];
  if (tree === undefined) throw new ObjectFault("It is not a valid Git commit.");
  return { tree, parents: parents.match(/[0-9a-f]{40}/g) ?? [] };
}
