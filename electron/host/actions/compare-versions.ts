// What changed between two versions of an event: which revisions came after the one, up to the other, and what each did.
import { AppError } from "../../../shared/app-error.ts";
import { MrmsManifest } from "../../../shared/contract/manifest.ts";
import {
  packVersionLimit,
  type CompareInput,
  type PackChange,
  type PackComparison,
  type PackVersion,
} from "../../../shared/contract/packs.ts";
import { toPublications, type Publication } from "../../../shared/revisions/publication.ts";

/** A revision as the catalog keeps it. */
export interface VersionRecord {
  readonly sequence: number;
  readonly observedAt: string;
  readonly publishedAt: string;
  /** UTF-8 JSON exactly as published. */
  readonly manifest: Uint8Array;
}

type Version = PackVersion & Pick<MrmsManifest, "layers">;

export function toVersion({ sequence, observedAt, publishedAt }: VersionRecord): PackVersion {
  return { sequence, observedAt, publishedAt };
}

/**
 * Records in rising sequence, from the event's oldest. Throws `not-found` for a version that is not among them, and
 * `stored-data-invalid` for a manifest that cannot be read.
 */
export function compareVersions(
  records: readonly VersionRecord[],
  { eventId, from, to }: CompareInput,
): PackComparison {
  for (const sequence of [from, to]) {
    if (!records.some((record) => record.sequence === sequence))
      throw new AppError("not-found", `The event has no revision ${sequence} any more.`);
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
    // No manifest is `undefined`.
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
