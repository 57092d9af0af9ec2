// Commit objects as hosting shows them (gitformat: headers, an empty line, the message). Names, times and encodings are as
// pushed; only tree and parents, which the shared parser reads, must be valid.
import {
  ObjectFault,
  parseCommit as parseGitCommit,
  type CommitLinks,
} from "../../../sharing/git/object-formats.ts";
import { misread } from "./output-reader.ts";
import type { CommitRecord, Person } from "./repository-objects.ts";

const personPattern = /^([^<]*)<([^>]*)>(?: (-?[0-9]{1,15}) [+-][0-9]{4})?/;
/** ECMA-262, "Time Values and Time Range": 100,000,000 days each side of 1970, in seconds; and no year of five digits. */
const maxSeconds = 253_402_300_799;

/** @throws ArtifactsError `INTERNAL_ERROR` for bytes that are no commit */
export function parseCommit(hash: string, bytes: Buffer): CommitRecord {
  const { tree, parents } = parseLinks(bytes);
  const split = bytes.indexOf("\n\n");
  const head = split === -1 ? bytes : bytes.subarray(0, split);
  const decode = decoderOf(head);
  const body = split === -1 ? "" : decode(bytes.subarray(split + 2));
  const lines = decode(head).split("\n");

  return {
    hash,
    treeHash: tree,
    parents,
    author: toPerson(headerOf(lines, "author")),
    committer: toPerson(headerOf(lines, "committer")),
    message: body,
  };
}

function parseLinks(bytes: Buffer): CommitLinks {
  try {
    return parseGitCommit(bytes);
  } catch (error) {
    throw error instanceof ObjectFault ? misread("commit") : error;
  }
}

function headerOf(lines: readonly string[], name: string): string {
  // The first one counts; continuation lines begin with a blank, so they never match.
  return lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? "";
}

function toPerson(text: string): Person {
  const match = personPattern.exec(text);
  if (match === null) return { name: text.trim(), email: "", date: null };
  const seconds = match[3] === undefined ? Number.NaN : Number(match[3]);
  const date =
    seconds >= 0 && seconds <= maxSeconds ? `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z` : null;
  return { name: match[1]!.trim(), email: match[2]!.trim(), date };
}

/** UTF-8 unless the commit says another encoding that is known here; what does not decode is replaced. */
function decoderOf(head: Buffer): (bytes: Buffer) => string {
  const label = /\nencoding ([A-Za-z0-9._-]{1,40})(?:\n|$)/.exec(head.toString("latin1"))?.[1];
  const decoder = toDecoder(label) ?? new TextDecoder("utf-8", { ignoreBOM: true });
  return (bytes) => decoder.decode(bytes);
}

function toDecoder(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label, { ignoreBOM: true });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
