// Reads what is left of a damaged revision: its manifest and its rows, and compares them.
import { isAppError } from "../../../shared/app-error.ts";
import { RevisionId } from "../../../shared/contract/primitives.ts";
import type { PublishedLayer } from "../catalog.ts";
import { parseInstant, toInstant } from "../plans/instants.ts";
import {
  composeManifest,
  imageUrlOf,
  inDrawingOrder,
  parseManifest,
  type ComposedManifest,
} from "../plans/compose-manifest.ts";
import { toPublishedLayer, type EventRow, type LayerRow, type RevisionRow } from "../rows/catalog-rows.ts";
import type { Prepare } from "../sqlite/queries.ts";

/** Columns of a damaged revision that can always be read. */
export type DamagedRow = Pick<EventRow, "origin"> &
  Pick<RevisionRow, "id" | "event_id" | "sequence" | "revision_id" | "manifest" | "manifest_sha256">;

export type SaidLayer = Omit<PublishedLayer, "messageSha256">;

export interface SaidRevision {
  readonly revisionId: string;
  readonly sequence: number;
  readonly publishedAtMs: number;
  readonly layers: readonly [SaidLayer, ...SaidLayer[]];
}

/** Reads the stored manifest. Returns undefined if it cannot be the manifest of a revision of this event. */
export function readManifest(row: DamagedRow): SaidRevision | undefined {
  const manifest = unlessDamaged(() => parseManifest(row.manifest));
  if (!manifest || (manifest.eventId ?? row.event_id) !== row.event_id) return undefined;
  const revisionId = manifest.revisionId ?? row.revision_id;
  if (!RevisionId.safeParse(revisionId).success) return undefined;
  const layers = manifest.layers.map((layer): SaidLayer | undefined => {
    const frameId = /\/([0-9a-f]{64})\.png$/.exec(layer.imageUrl)?.[1];
    if (frameId === undefined) return undefined;
    const { id: productId, bounds, observedAt, sourceUrl, sourceLastModified } = layer;
    if (layer.imageUrl !== imageUrlOf(row.event_id, { productId, frameId })) return undefined;
    return { productId, frameId, bounds, observedAt, sourceUrl, sourceLastModified };
  });
  const whole = layers.filter((layer) => layer !== undefined);
  const [first, ...others] = whole;
  const products = new Set(whole.map(({ productId }) => productId));
  if (!first || whole.length < layers.length || products.size < whole.length) return undefined;
  return {
    revisionId,
    sequence: manifest.sequence ?? row.sequence,
    publishedAtMs: parseInstant(manifest.generatedAt),
    layers: [first, ...others],
  };
}

export interface RecordedRevision {
  readonly publishedAtMs: number;
  readonly layers: readonly PublishedLayer[];
}

/** Returns a function that reads the rows of a revision; undefined if a value is invalid. */
export function createRowReader(prepare: Prepare): (row: DamagedRow) => RecordedRevision | undefined {
  const rowOf = prepare<Pick<RevisionRow, "published_at">>("SELECT published_at FROM revisions WHERE id = ?");
  const layersOf = prepare<LayerRow>("SELECT * FROM revision_layers WHERE revision = ?");
  return ({ id }) =>
    unlessDamaged(() => ({
      publishedAtMs: rowOf.first(id)!.published_at,
      layers: inDrawingOrder(layersOf.all(id).map(toPublishedLayer)),
    }));
}

/** Composes the manifest from the rows. Returns undefined if they are damaged. */
export function composeAgain(
  { event_id: eventId, revision_id: revisionId, sequence, origin }: DamagedRow,
  { publishedAtMs, layers }: RecordedRevision,
): ComposedManifest | undefined {
  return unlessDamaged(() =>
    composeManifest({ eventId, origin, revisionId, sequence, publishedAt: toInstant(publishedAtMs), layers }),
  );
}

/** Returns undefined if the data are damaged. Throws only disk errors. */
function unlessDamaged<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (isAppError(error, "storage-failed")) throw error;
    return undefined;
  }
}

export function agree(row: DamagedRow, said: SaidRevision, recorded: RecordedRevision): boolean {
  const agreeing = said.layers.filter((layer) => {
    const own = recorded.layers.find(({ productId }) => productId === layer.productId);
    return (
      own?.frameId === layer.frameId &&
      own.sourceUrl === layer.sourceUrl &&
      parseInstant(own.observedAt) === parseInstant(layer.observedAt) &&
      own.bounds.every((edge, index) => edge === layer.bounds[index])
    );
  });
  return (
    said.revisionId === row.revision_id &&
    said.sequence === row.sequence &&
    said.publishedAtMs === recorded.publishedAtMs &&
    agreeing.length === recorded.layers.length
  );
}
