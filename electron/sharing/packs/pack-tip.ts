// The newest commit of an existing pack, with the state that an export continues.
import { AppError } from "../../../shared/app-error.ts";
import { historyLimit } from "../../../shared/contract/history.ts";
import type { CatalogReader, EventRecord } from "../../catalog/catalog.ts";
import { eventPackLimits } from "./event-pack-limits.ts";
import { GrowingTree } from "./growing-tree.ts";
import { manifestFile, packFile } from "./pack-layout.ts";
import { encodeTree, fileMode, oidOf, parseCommit } from "../git/object-formats.ts";
import type { ObjectReader } from "../git/object-reader.ts";
import { ObjectFault } from "../git/object-formats.ts";
import { mainRef, readRef } from "../git/refs.ts";
import { PackJson } from "./schemas.ts";

export interface PackTip {
  readonly commit: string;
  readonly pack: PackJson;
  readonly tree: GrowingTree;
}

/**
 * Returns undefined if the repository has no commit. @throws AppError `conflict` for a damaged pack, or another content
 */
export async function readTip(gitdir: string, reader: ObjectReader): Promise<PackTip | undefined> {
  const commit = await readRef(gitdir, mainRef);
  if (commit === undefined) return undefined;
  const { maxCommitBytes, maxJsonBytes } = eventPackLimits;
  try {
    const { tree: root } = parseCommit(await reader.read(commit, "commit", maxCommitBytes));
    const tree = await GrowingTree.load(reader, root);
    const bytes = await reader.read(tree.find(packFile) ?? "", "blob", maxJsonBytes);
    return { commit, tree, pack: PackJson.parse(JSON.parse(bytes.toString("utf8"))) };
  } catch (error) {
    const isExpected =
      error instanceof ObjectFault ||
      (error instanceof Error && /^(?:ZodError|SyntaxError)$/.test(error.name));
    if (!isExpected) throw error;
    throw new AppError("conflict", "The repository does not contain an event pack, or the pack is damaged.", {
      cause: error,
    });
  }
}

/**
 * Checks that the pack has this event's history: revisions that both have must be equal.
 * @throws AppError `conflict`
 */
export async function requireSameHistory(
  { pack, tree }: PackTip,
  event: EventRecord,
  catalog: Pick<CatalogReader, "listRevisions">,
): Promise<void> {
  const refuse = (why: string): AppError =>
    new AppError("conflict", `The repository contains a pack of another history: ${why}.`);
  const { latest } = pack;
  if (pack.event.id !== event.id) throw refuse(`its event is ${pack.event.id}`);
  if (pack.event.kind !== event.kind || pack.event.origin !== event.origin) {
    throw refuse("its event is of another kind");
  }
  if (latest.sequence > event.latestSequence)
    throw refuse(`it has revisions up to sequence ${latest.sequence}`);
  const newest = await catalog.listRevisions(event.id, historyLimit.max);
  const shared = newest.filter(({ sequence }) => sequence <= latest.sequence);
  for (const { revisionId, manifest } of shared) {
    const entry = { mode: fileMode, name: manifestFile, oid: oidOf("blob", manifest) };
    if (tree.find(`revisions/${revisionId}`) !== oidOf("tree", encodeTree([entry]))) {
      throw refuse(`its revision ${revisionId} differs`);
    }
  }
  // Retention may have removed all of the pack's revisions of a live feed.
  const mayBeForgotten = newest.length === historyLimit.max || event.kind === "operational-feed";
  if (shared.length === 0 && !mayBeForgotten) throw refuse("none of its revisions exists here");
}
