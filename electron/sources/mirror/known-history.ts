// What is listed at the other side against what is held here: pure functions over the list's candidates and our records.
import { MrmsManifest, type MrmsLayer } from "../../../shared/contract/manifest.ts";
import { toPublications, type PublicationKind } from "../../../shared/revisions/publication.ts";
import type { RevisionRecord } from "../../catalog/catalog.ts";
import type { Candidate } from "./listings.ts";
import { isSameRevision } from "./revision-draft.ts";

export interface Comparison {
  /** In ascending sequence. */
  readonly candidates: readonly Candidate[];
  /** The highest sequence that the other side has, as far as it says. */
  readonly theirLatest: number;
  /** The newest revisions that are held here, in ascending sequence. */
  readonly revisions: readonly RevisionRecord[];
  /** The highest sequence that was ever held here; 0 for none. */
  readonly ourLatest: number;
}

/** Why the list is not the history that was followed so far, as a sentence; undefined when it goes on from it. */
export function findBreak({ candidates, theirLatest, revisions, ourLatest }: Comparison): string | undefined {
  if (theirLatest < ourLatest) {
    return `Its sequence went back, from ${ourLatest} to ${theirLatest}; what is here stays.`;
  }
  const ours = new Map(revisions.map((revision) => [revision.sequence, revision.revisionId]));
  const other = candidates.find(
    ({ sequence, revisionId }) => (ours.get(sequence) ?? revisionId) !== revisionId,
  );
  return (
    other && `Its sequence ${other.sequence} is another revision than it was before; what is here stays.`
  );
}

/** Listed revisions that are held here with other content. */
export function findChanged({ candidates, revisions }: Comparison): readonly Candidate[] {
  const ours = new Map(revisions.map((revision) => [revision.sequence, revision]));
  return candidates.filter((candidate) => {
    const revision = ours.get(candidate.sequence);
    const layers = revision && layersOf(revision);
    return layers !== undefined && !isSameRevision(candidate, { revisionId: revision!.revisionId, layers });
  });
}

/**
 * What to fetch, in ascending sequence: all that is newer than ours, and what is missing below it (damage may have made it be
 * withdrawn here). Observations before `tooOldMs`, which retention would remove at once, are left out but for the newest.
 */
export function chooseWanted(
  { candidates, revisions, ourLatest }: Comparison,
  tooOldMs: number,
): readonly Candidate[] {
  const oldest = revisions[0]?.sequence ?? Infinity;
  const held = new Set(revisions.map(({ sequence }) => sequence));
  const newest = candidates.at(-1);
  return candidates.filter((candidate) => {
    const { sequence, frame } = candidate;
    if (frame && candidate !== newest && Date.parse(frame.observedAt) < tooOldMs) return false;
    return sequence > ourLatest || (sequence > oldest && !held.has(sequence));
  });
}

/** What each listed revision did to the record, by sequence. */
export function toKinds(candidates: readonly Candidate[]): ReadonlyMap<number, PublicationKind> {
  const listed = candidates.flatMap(({ sequence, frame }) => (frame ? [{ ...frame, sequence }] : []));
  return new Map(toPublications(listed).map(({ kind }, index) => [listed[index]!.sequence, kind]));
}

/** Records never change, and parsing hundreds of manifests at every notice would be felt. */
const parsed = new WeakMap<RevisionRecord, readonly MrmsLayer[]>();

/** The layers of a stored revision; undefined when its manifest is damaged, which `verify` tells. */
export function layersOf(revision: RevisionRecord): readonly MrmsLayer[] | undefined {
  const known = parsed.get(revision);
  if (known) return known;
  const layers = parseLayers(revision.manifest);
  if (layers) parsed.set(revision, layers);
  return layers;
}

function parseLayers(manifest: Uint8Array): readonly MrmsLayer[] | undefined {
  try {
    return MrmsManifest.safeParse(JSON.parse(Buffer.from(manifest).toString("utf8"))).data?.layers;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
