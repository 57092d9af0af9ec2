// Reads the revisions of an export from the catalog: their layers, frames and sources.
import { AppError } from "../../../../shared/app-error.ts";
import type { MrmsLayer } from "../../../../shared/contract/manifest.ts";
import type { ExportedLayer, ExportedRevision } from "../../../../shared/rasters/exported-layer.ts";
import { natureOf } from "../../../../shared/revisions/event-origin.ts";
import type {
  EventRecord,
  PublishedLayer,
  ReadableCatalog,
  RevisionRecord,
} from "../../../catalog/catalog.ts";
import { parseManifest } from "../../../catalog/plans/compose-manifest.ts";
import type { ExportRequest } from "../export-request.ts";

export interface ChosenLayer {
  readonly facts: ExportedLayer;
  /** The manifest's layer, with its legend. */
  readonly manifest: MrmsLayer;
  readonly published: PublishedLayer;
}

type Catalog = Pick<ReadableCatalog, "findEvent" | "findRevisionAfter" | "listLayers" | "listRevisions">;

export interface ChosenLayers {
  readonly event: EventRecord;
  /** In the order of the request, at least one. */
  readonly layers: readonly ChosenLayer[];
}

/**
 * @throws AppError `not-found` for an unknown event or revision, and one without revisions; `invalid-input` for layers
 * that none of the revisions has; `stored-data-invalid` for a damaged manifest
 */
export async function readChosenLayers(
  catalog: Catalog,
  request: Pick<ExportRequest, "eventId" | "sequences" | "newest" | "layers">,
  signal: AbortSignal,
): Promise<ChosenLayers> {
  const { eventId, layers } = request;
  const event = await catalog.findEvent(eventId);
  if (!event) throw new AppError("not-found", `There is no event ${eventId}.`);
  const records = await findRecords(catalog, event, request);
  if (records.length === 0) throw new AppError("not-found", `The event ${eventId} has no revisions.`);
  const chosen: ChosenLayer[] = [];
  for (const record of records) {
    signal.throwIfAborted();
    const ofRevision = await readLayers(catalog, event, record);
    chosen.push(...ofRevision.filter(({ facts }) => layers?.includes(facts.id) ?? true));
  }
  if (chosen.length > 0) return { event, layers: chosen };
  // A manifest has at least one layer.
  throw new AppError("invalid-input", `No chosen revision of ${eventId} has ${layers!.join(" or ")}.`);
}

async function findRecords(
  catalog: Catalog,
  { id, latestSequence }: EventRecord,
  { sequences, newest = Infinity }: Pick<ExportRequest, "sequences" | "newest">,
): Promise<readonly RevisionRecord[]> {
  if (!sequences) return catalog.listRevisions(id, Math.max(1, Math.min(newest, latestSequence)));
  const records: RevisionRecord[] = [];
  for (const sequence of sequences) {
    const record = await catalog.findRevisionAfter(id, sequence - 1);
    if (record?.sequence !== sequence) {
      throw new AppError("not-found", `The event ${id} has no revision ${sequence}.`);
    }
    records.push(record);
  }
  return records;
}

async function readLayers(
  catalog: Catalog,
  event: EventRecord,
  record: RevisionRecord,
): Promise<ChosenLayer[]> {
  const { eventId, revisionId, sequence, publishedAt } = record;
  const manifest = readManifest(record);
  const { attribution, disclosure } = manifest;
  const revision: ExportedRevision = {
    event: { id: eventId, label: event.label, nature: natureOf(event) },
    ...{ revisionId, sequence, publishedAt, attribution, disclosure },
  };
  const published = await catalog.listLayers(eventId, revisionId);
  return manifest.layers.map((layer) => {
    const { id, label, observedAt, caveat } = layer;
    const found = published.find(({ productId }) => productId === id);
    if (!found) throw new AppError("stored-data-invalid", `A layer of revision ${revisionId} is missing.`);
    const facts = { revision, id, label, observedAt, caveat, frameId: found.frameId };
    return { facts, manifest: layer, published: found };
  });
}

function readManifest({ manifest, revisionId }: RevisionRecord): ReturnType<typeof parseManifest> {
  try {
    return parseManifest(manifest);
  } catch (cause) {
    throw new AppError("stored-data-invalid", `The manifest of revision ${revisionId} is damaged.`, {
      cause,
    });
  }
}
