// Compares the remote list of revisions with the stored ones. Pure functions.
import { MrmsManifest, type MrmsLayer } from "../../../shared/contract/manifest.ts";
import {
  toPublications,
  type PublicationKind,
  type RevisionChange,
} from "../../../shared/revisions/publication.ts";
import type { RevisionRecord } from "../../catalog/catalog.ts";
import type { Candidate } from "./listings.ts";
import { isSameRevision } from "./revision-draft.ts";

export interface Comparison {
  /** In ascending sequence. */
  readonly candidates: readonly Candidate[];
  /** Highest sequence that the remote event reports. */
  readonly theirLatest: number;
  /** The newest stored revisions, in ascending sequence. */
  readonly revisions: readonly RevisionRecord[];
  /** Highest sequence ever stored; 0 for none. */
  readonly ourLatest: number;
}

/** Returns a sentence if the list does not continue the history followed so far. */
export function findBreak({ candidates, theirLatest, revisions, ourLatest }: Comparison): string | undefined {
  if (theirLatest < ourLatest) {
    return `The source's revision number went back from ${ourLatest} to ${theirLatest}; the local copy is unchanged.`;
  }
  const ours = new Map(revisions.map((revision) => [revision.sequence, revision.revisionId]));
  const other = candidates.find(
    ({ sequence, revisionId }) => (ours.get(sequence) ?? revisionId) !== revisionId,
  );
  return other && `The source replaced its revision ${other.sequence}; the local copy is unchanged.`;
}

/** Returns listed revisions that are stored with different content. */
export function findChanged({ candidates, revisions }: Comparison): readonly Candidate[] {
  const ours = new Map(revisions.map((revision) => [revision.sequence, revision]));
  return candidates.filter((candidate) => {
    const revision = ours.get(candidate.sequence);
    const layers = revision && layersOf(revision);
    return layers !== undefined && !isSameRevision(candidate, { revisionId: revision!.revisionId, layers });
  });
}

/**
 * Returns what to fetch, in ascending sequence: everything newer, and what is missing below (a repair may have
 * withdrawn it). Omits observations before `tooOldMs`, except the newest: retention would remove them at once.
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

/** Returns what each listed revision changed, by sequence; undefined if unknown. */
export function toChanges(candidates: readonly Candidate[]): ReadonlyMap<number, RevisionChange | undefined> {
  const listed = candidates.flatMap(({ sequence, frame }) => (frame ? [{ ...frame, sequence }] : []));
  return new Map(toPublications(listed).map(({ kind }, index) => [listed[index]!.sequence, changes[kind]]));
}

const changes: Readonly<Record<PublicationKind, RevisionChange | undefined>> = {
  new: "first",
  correction: "correction",
  completion: "completion",
  backfill: "backfill",
  unknown: undefined,
};

/** Caches parsed manifests: records never change, and every notice needs hundreds of them. */
const parsed = new WeakMap<RevisionRecord, readonly MrmsLayer[]>();

/** Returns the layers of a stored revision; undefined if its manifest is damaged, which `verify` reports. */
export function layersOf(revision: RevisionRecord): readonly MrmsLayer[] | undefined {
  const known = parsed.get(revision);
  if (known) return known;
  try {
    const json: unknown = JSON.parse(Buffer.from(revision.manifest).toString("utf8"));
    const layers = MrmsManifest.safeParse(json).data?.layers;
    if (layers) parsed.set(revision, layers);
    return layers;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
