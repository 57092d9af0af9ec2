// What is left of a damaged revision: what its manifest says, what its rows say, and whether they agree.
import type { DatabaseSync } from "node:sqlite";
import { isAppError } from "../../../shared/app-error.ts";
import { MrmsManifest } from "../../../shared/contract/manifest.ts";
import { RevisionId } from "../../../shared/contract/primitives.ts";
import type { EventOrigin } from "../../../shared/revisions/event-origin.ts";
import type { PublishedLayer } from "../catalog.ts";
import { parseInstant, toInstant } from "../instants.ts";
import { composeManifest, imageUrlOf, inDrawingOrder, type ComposedManifest } from "../compose-manifest.ts";
import { prepare } from "../queries.ts";
import { toPublishedLayer, type LayerRow, type RevisionRow } from "../catalog-rows.ts";

/** A damaged revision, by the columns that can always be read. */
export interface DamagedRow {
  readonly id: number;
  readonly event_id: string;
  readonly sequence: number;
  readonly revision_id: string;
  readonly manifest: Uint8Array;
  readonly manifest_sha256: string;
  readonly origin: EventOrigin;
}

export interface SaidLayer extends Omit<PublishedLayer, "messageSha256"> {
  readonly messageSha256?: undefined;
}

export interface SaidRevision {
  readonly revisionId: string;
  readonly sequence: number;
  readonly publishedAtMs: number;
  readonly layers: readonly [SaidLayer, ...SaidLayer[]];
}

/** What the stored manifest says; undefined where it cannot be the manifest of a revision of this event. */
export function readManifest(row: DamagedRow): SaidRevision | undefined {
  const manifest = parseManifest(row.manifest);
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

function parseManifest(bytes: Uint8Array): MrmsManifest | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return MrmsManifest.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** What the rows of a revision say. */
export interface RecordedRevision {
  readonly publishedAtMs: number;
  readonly layers: readonly PublishedLayer[];
}

/** Returns what reads the rows of a revision; undefined where a value in them is none. */
export function createRowReader(database: DatabaseSync): (row: DamagedRow) => RecordedRevision | undefined {
  const rowOf = prepare<Pick<RevisionRow, "published_at">>(
    database,
    "SELECT published_at FROM revisions WHERE id = ?",
  );
  const layersOf = prepare<LayerRow>(database, "SELECT * FROM revision_layers WHERE revision = ?");
  return ({ id }) =>
    unlessDamaged(() => ({
      publishedAtMs: rowOf.first(id)!.published_at,
      layers: inDrawingOrder(layersOf.all(id).map(toPublishedLayer)),
    }));
}

/** The manifest that the rows make; undefined where they make none. */
export function composeAgain(
  { event_id: eventId, revision_id: revisionId, sequence, origin }: DamagedRow,
  { publishedAtMs, layers }: RecordedRevision,
): ComposedManifest | undefined {
  return unlessDamaged(() =>
    composeManifest({ eventId, origin, revisionId, sequence, publishedAt: toInstant(publishedAtMs), layers }),
  );
}

/** Whatever is wrong with rows, nothing can be read of them or made of them; a disk that refuses is another matter. */
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
