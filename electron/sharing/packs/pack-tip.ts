// The newest commit of the pack that is in a repository already, as far as an export has to know it.
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

/** Undefined for a repository without a commit. @throws AppError `conflict` where what is there is no pack, or damaged */
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
    const isOurs =
      error instanceof ObjectFault ||
      (error instanceof Error && /^(?:ZodError|SyntaxError)$/.test(error.name));
    if (!isOurs) throw error;
    throw new AppError("conflict", "What is in the repository there is no event pack, or a damaged one.", {
      cause: error,
    });
  }
}

/**
 * Newer revisions may be added to the pack only where it is of this event's own history: what both have is the same.
 * @throws AppError `conflict`
 */
export async function requireSameHistory(
  { pack, tree }: PackTip,
  event: EventRecord,
  catalog: Pick<CatalogReader, "listRevisions">,
): Promise<void> {
  const refuse = (why: string): AppError =>
    new AppError("conflict", `The repository there holds the pack of another history: ${why}.`);
  const { latest } = pack;
  if (pack.event.id !== event.id) throw refuse(`it is of the event ${pack.event.id}`);
  if (pack.event.kind !== event.kind || pack.event.origin !== event.origin) {
    throw refuse("its event is of another kind");
  }
  if (latest.sequence > event.latestSequence) throw refuse(`it goes on to sequence ${latest.sequence}`);
  const newest = await catalog.listRevisions(event.id, historyLimit.max);
  const shared = newest.filter(({ sequence }) => sequence <= latest.sequence);
  for (const { revisionId, manifest } of shared) {
    const entry = { mode: fileMode, name: manifestFile, oid: oidOf("blob", manifest) };
    if (tree.find(`revisions/${revisionId}`) !== oidOf("tree", encodeTree([entry]))) {
      throw refuse(`its revision ${revisionId} is another one`);
    }
  }
  // Retention may have removed from a live feed all that the pack has of it.
  const mayBeForgotten = newest.length === historyLimit.max || event.kind === "operational-feed";
  if (shared.length === 0 && !mayBeForgotten) throw refuse("none of its revisions is known here");
}
