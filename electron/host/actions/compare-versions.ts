// Compares two versions of an event: the revisions after the first, up to the second, and the effect of each.
import { AppError } from "../../../shared/app-error.ts";
import { MrmsManifest } from "../../../shared/contract/manifest.ts";
import {
  packVersionLimit,
  type CompareInput,
  type PackChange,
  type PackComparison,
  type PackVersion,
} from "../../../shared/contract/packs.ts";
import type { RevisionRecord } from "../../catalog/catalog.ts";
import { toPublications, type Publication } from "../../../shared/revisions/publication.ts";

export type VersionRecord = Pick<RevisionRecord, "sequence" | "observedAt" | "publishedAt" | "manifest">;

type Version = PackVersion & Pick<MrmsManifest, "layers">;

export function toVersion({ sequence, observedAt, publishedAt }: VersionRecord): PackVersion {
  return { sequence, observedAt, publishedAt };
}

/**
 * Compares two versions; `records` are in rising sequence from the event's oldest.
 * @throws AppError `not-found` for a version that is not among them; `stored-data-invalid` for an unreadable manifest
 */
export function compareVersions(
  records: readonly VersionRecord[],
  { eventId, from, to }: CompareInput,
): PackComparison {
  for (const sequence of [from, to]) {
    if (!records.some((record) => record.sequence === sequence))
      throw new AppError("not-found", `The event no longer has revision ${sequence}.`);
  }
  const versions = records.filter(({ sequence }) => sequence <= to).map(readLayers);
  const publications = toPublications(versions);
  const changes = publications
    .map((publication, index) => toChange(versions, publication, index))
    .filter(({ sequence }) => sequence > from);
  const counts: PackComparison["counts"] = { new: 0, correction: 0, completion: 0, backfill: 0, unknown: 0 };
  for (const { kind } of changes) counts[kind] += 1;
  return { eventId, from, to, counts, changes: changes.slice(-packVersionLimit) };
}

function readLayers(record: VersionRecord): Version {
  const { success, data } = MrmsManifest.safeParse(parseJson(record.manifest));
  if (!success)
    throw new AppError("stored-data-invalid", `The manifest of revision ${record.sequence} cannot be read.`);
  return { ...toVersion(record), layers: data.layers };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // Not a manifest: the schema refuses undefined.
    return undefined;
  }
}

function toChange(
  versions: readonly Version[],
  { kind, late, supersedes }: Publication,
  index: number,
): PackChange {
  const { layers, ...version } = versions[index]!;
  const earlier = supersedes === undefined ? undefined : versions[supersedes];
  const products = layers
    .filter(({ id, imageUrl, observedAt }) => {
      const before = earlier?.layers.find((layer) => layer.id === id);
      return before?.imageUrl !== imageUrl || before.observedAt !== observedAt;
    })
    .map(({ id }) => id);
  return { ...version, kind, late, supersedes: earlier?.sequence ?? null, products };
}
