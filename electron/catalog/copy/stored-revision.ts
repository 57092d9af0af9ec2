// A stored revision in the form in which the engines write it.
import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../../shared/app-error.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { inDrawingOrder } from "../plans/compose-manifest.ts";
import type { PlannedRevision } from "../plans/next-revision.ts";
import { toBounds, toPublishedLayer } from "../rows/catalog-rows.ts";
import type { StoredRevision } from "../rows/stored-rows.ts";

/** @throws AppError `stored-data-invalid` if the manifest is damaged, or all layers are lost */
export function toWritable({ row, layers }: StoredRevision): PlannedRevision {
  const [first, ...others] = inDrawingOrder(layers.map(toPublishedLayer));
  if (!first) throw new AppError("stored-data-invalid", "It has no layer.");
  if (sha256Of(row.manifest) !== row.manifest_sha256) {
    throw new AppError("stored-data-invalid", "The bytes of its manifest do not match their hash.");
  }
  return {
    eventId: row.event_id,
    revisionId: row.revision_id,
    sequence: row.sequence,
    observedAtMs: row.observed_at,
    publishedAtMs: row.published_at,
    layers: [first, ...others],
    bounds: toBounds(row),
    window: row.observation_window,
    manifest: { bytes: row.manifest, sha256: row.manifest_sha256 },
  };
}

/** Compares everything that two catalogs store about a revision. */
export function isSameRevision(one: StoredRevision, other: StoredRevision): boolean {
  return (
    Buffer.compare(one.row.manifest, other.row.manifest) === 0 &&
    isDeepStrictEqual(toComparable(one), toComparable(other))
  );
}

function toComparable({ row, layers }: StoredRevision): unknown {
  const { event_id, sequence, revision_id, observed_at, observation_window, published_at } = row;
  return [
    ...[event_id, sequence, revision_id, observed_at, observation_window, published_at],
    ...[toBounds(row), row.manifest_sha256, layers.map(toPublishedLayer)],
  ];
}
