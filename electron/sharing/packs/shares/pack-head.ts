// The newest commit and revision of a pack in a repository here, and the event it belongs to.
import { parseCommit, parseTree } from "../../git/object-formats.ts";
import { createObjectReader } from "../../git/object-reader.ts";
import { mainRef, readRef } from "../../git/refs.ts";
import { eventPackLimits } from "../event-pack-limits.ts";
import { listRevisionTags, packFile, parseTagRef } from "../pack-layout.ts";
import { PackJson } from "../schemas.ts";

export interface PackHead {
  /** Commit of `main`; undefined if there is no pack. */
  readonly commit: string | undefined;
  /** Highest sequence among the revisions' tags. */
  readonly sequence: number | undefined;
}

export async function readPackHead(gitdir: string): Promise<PackHead> {
  const commit = await readRef(gitdir, mainRef);
  if (commit === undefined) return { commit, sequence: undefined };
  let sequence: number | undefined;
  for (const ref of (await listRevisionTags(gitdir)).keys()) {
    sequence = Math.max(sequence ?? 0, parseTagRef(ref)!);
  }
  return { commit, sequence };
}

/** Returns the event's id in pack.json, or undefined if it cannot be read; the import reports why. */
export async function readPackEventId(gitdir: string, commit: string): Promise<string | undefined> {
  const { maxCommitBytes, maxTreeBytes, maxJsonBytes } = eventPackLimits;
  const reader = createObjectReader(gitdir);
  try {
    const { tree } = parseCommit(await reader.read(commit, "commit", maxCommitBytes));
    const entries = parseTree(await reader.read(tree, "tree", maxTreeBytes));
    const { oid = "" } = entries.find(({ name }) => name === packFile) ?? {};
    const bytes = await reader.read(oid, "blob", maxJsonBytes);
    return PackJson.parse(JSON.parse(bytes.toString("utf8"))).event.id;
  } catch {
    return undefined;
  } finally {
    await reader.close();
  }
}
