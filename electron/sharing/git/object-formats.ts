// Git's objects as bytes: names of objects, trees and commits (gitformat: "tree", "commit"; Documentation/git-hash-object).
// Parsing takes what others wrote and bounds nothing: whoever reads the object has bounded its bytes.
import { createHash } from "node:crypto";
import { ObjectFault } from "./object-fault.ts";

export const objectTypes = ["commit", "tree", "blob", "tag"] as const;
export type ObjectType = (typeof objectTypes)[number];

export const oidPattern = /^[0-9a-f]{40}$/;
const oidBytes = 20;

/** What Git hashes and deflates: the type, a space, the length, a zero byte, the content. */
export function headerOf(type: ObjectType, byteLength: number): Buffer {
  return Buffer.from(`${type} ${byteLength}\0`, "latin1");
}

/** SHA-1, lower-case hexadecimal. */
export function oidOf(type: ObjectType, content: Uint8Array): string {
  return createHash("sha1").update(headerOf(type, content.byteLength)).update(content).digest("hex");
}

export const fileMode = "100644";
export const folderMode = "40000";

export interface TreeEntry {
  /** As it is written: `100644`, `40000`, or another that Git knows. */
  readonly mode: string;
  /** Any bytes but zero and the slash, as others may have written them; latin1, a character a byte. */
  readonly name: string;
  readonly oid: string;
}

/** Entries in Git's order: as bytes, a folder as if its name ended in a slash. Every name must be ASCII. */
export function encodeTree(entries: Iterable<TreeEntry>): Buffer {
  const keyOf = ({ mode, name }: TreeEntry): string => (mode === folderMode ? `${name}/` : name);
  const sorted = [...entries].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return Buffer.concat(
    sorted.flatMap(({ mode, name, oid }) => [
      Buffer.from(`${mode} ${name}\0`, "latin1"),
      Buffer.from(oid, "hex"),
    ]),
  );
}

/** @throws ObjectFault for bytes that are no tree */
export function parseTree(bytes: Uint8Array): readonly TreeEntry[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: TreeEntry[] = [];
  for (let at = 0; at < buffer.length;) {
    const space = buffer.indexOf(0x20, at);
    const end = buffer.indexOf(0, at);
    const next = end + 1 + oidBytes;
    if (space < 0 || end < 0 || space > end || next > buffer.length) {
      throw new ObjectFault("It is no sound folder of Git.");
    }
    entries.push({
      mode: buffer.toString("latin1", at, space),
      name: buffer.toString("latin1", space + 1, end),
      oid: buffer.toString("hex", end + 1, next),
    });
    at = next;
  }
  return entries;
}

export interface CommitFacts {
  readonly tree: string;
  readonly parents: readonly string[];
}

export interface CommitDraft extends CommitFacts {
  /** One line. */
  readonly message: string;
  /** Seconds since the Unix epoch. */
  readonly atSeconds: number;
}

const identity = "Echotop <echotop@localhost>";

/** Equal drafts give equal bytes: nobody's name, clock or time zone is in them. */
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

/** @throws ObjectFault for bytes that are no commit */
export function parseCommit(bytes: Uint8Array): CommitFacts {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const [head = ""] = text.split("\n\n", 1);
  const lines = head.split("\n");
  const tree = /^tree ([0-9a-f]{40})$/.exec(lines[0] ?? "")?.[1];
  if (tree === undefined) throw new ObjectFault("It is no sound commit of Git.");
  const parents: string[] = [];
  for (const line of lines.slice(1)) {
    const parent = /^parent ([0-9a-f]{40})$/.exec(line)?.[1];
    if (parent === undefined) break;
    parents.push(parent);
  }
  return { tree, parents };
}
