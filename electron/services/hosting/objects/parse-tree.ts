// A tree object's bytes (gitformat: mode, blank, name, NUL, twenty bytes of hash; again and again), whoever made them.
import { misread } from "./output-reader.ts";
import type { TreeEntryType } from "./repository-objects.ts";

export interface RawTreeEntry {
  /** Six octal digits. */
  readonly mode: string;
  readonly type: TreeEntryType;
  readonly hash: string;
  /** One segment as it was pushed; need not be UTF-8. */
  readonly name: Buffer;
}

const hashBytes = 20;
const blank = 0x20;
const slash = 0x2f;
const modePattern = /^[0-7]{5,6}$/;

/** @throws ArtifactsError `INTERNAL_ERROR` for bytes that are no tree */
export function parseTree(bytes: Buffer): readonly RawTreeEntry[] {
  const entries: RawTreeEntry[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const nameStart = bytes.indexOf(blank, offset) + 1;
    const nameEnd = nameStart === 0 ? -1 : bytes.indexOf(0, nameStart);
    const end = nameEnd + 1 + hashBytes;
    if (nameEnd <= nameStart || end > bytes.length || nameStart - offset > 7) throw misread("tree");
    const mode = bytes.toString("latin1", offset, nameStart - 1);
    const name = bytes.subarray(nameStart, nameEnd);
    if (!modePattern.test(mode) || name.includes(slash)) throw misread("tree");
    const hash = bytes.toString("hex", nameEnd + 1, end);
    entries.push({ mode: mode.padStart(6, "0"), type: typeOf(mode), hash, name });
    offset = end;
  }
  return entries;
}

function typeOf(mode: string): TreeEntryType {
  // The upper bits are the file type, as in stat(2): 04 a directory, 16 Git's own for a submodule.
  const kind = Number.parseInt(mode, 8) >> 12;
  if (kind === 0o04) return "tree";
  return kind === 0o16 ? "commit" : "blob";
}
