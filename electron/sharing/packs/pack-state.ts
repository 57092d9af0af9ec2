// The content of pack.json and sources after each revision, from immutable data only, so that it is the same whenever
// it is written; and the event's final state once its row differs.
import type { Bounds, ProductId } from "../../../shared/contract/primitives.ts";
import { productIds } from "../../../shared/contract/primitives.ts";
import { unionBounds } from "../../../shared/geo/bounds.ts";
import type { EventRecord, PublishedLayer, RevisionRecord } from "../../catalog/catalog.ts";
import { growExtent } from "../../catalog/plans/event-rules.ts";
import { parseInstant, toInstant } from "../../catalog/plans/instants.ts";
import type { PackEvent, SourcesJson, SourcesLayer } from "./schemas.ts";

export type Layers = readonly [PublishedLayer, ...PublishedLayer[]];

/** Returns the event before its first revision, with its registered window if it has one. */
export function toFirstEvent(row: EventRecord): PackEvent {
  return {
    ...identityOf(row),
    status: "active",
    startedAt: row.registeredWindow?.startedAt ?? null,
    endedAt: row.registeredWindow?.endedAt ?? null,
    bounds: null,
    updatedAt: row.updatedAt,
  };
}

/** Returns the event with one more revision. */
export function growEvent(
  before: PackEvent,
  row: EventRecord,
  revision: RevisionRecord,
  layers: Layers,
): PackEvent {
  const { startedAtMs, endedAtMs, bounds } = growExtent(
    {
      startedAtMs: before.startedAt === null ? null : parseInstant(before.startedAt),
      endedAtMs: before.endedAt === null ? null : parseInstant(before.endedAt),
      bounds: before.bounds,
    },
    [revision.observedAt, ...layers.map(({ observedAt }) => observedAt)].map(parseInstant) as [number],
    boundsOf(layers),
  );
  return {
    ...identityOf(row),
    status: "active",
    startedAt: toInstant(startedAtMs),
    endedAt: toInstant(endedAtMs),
    bounds,
    updatedAt: revision.publishedAt,
  };
}

/**
 * Returns the event as in its row, but never narrower than the pack: retention removes nothing from a pack. Returns
 * undefined if the pack already has this state, whatever its time.
 */
export function findFinalEvent(tip: PackEvent, row: EventRecord): PackEvent | undefined {
  const last: PackEvent = {
    ...identityOf(row),
    status: row.status,
    startedAt: widest(Math.min, tip.startedAt, row.startedAt),
    endedAt: widest(Math.max, tip.endedAt, row.endedAt),
    bounds: tip.bounds && row.bounds ? unionBounds(tip.bounds, row.bounds) : (row.bounds ?? tip.bounds),
    updatedAt: row.updatedAt,
  };
  const isSame = JSON.stringify({ ...last, updatedAt: "" }) === JSON.stringify({ ...tip, updatedAt: "" });
  return isSame ? undefined : last;
}

/** Returns each product once, in the contract's order. */
export function toProducts(ids: Iterable<ProductId>): ProductId[] {
  const known = new Set(ids);
  return productIds.filter((id) => known.has(id));
}

export function toSourcesJson(revision: RevisionRecord, layers: Layers): SourcesJson {
  const { revisionId, sequence, observedAt, publishedAt, manifestSha256 } = revision;
  return {
    schemaVersion: 1,
    revisionId,
    sequence,
    observedAt,
    publishedAt,
    bounds: boundsOf(layers),
    manifestSha256,
    layers: layers.map(toSourcesLayer),
  };
}

function toSourcesLayer(layer: PublishedLayer): SourcesLayer {
  const { productId, observedAt, frameId, bounds, messageSha256, sourceUrl } = layer;
  return {
    productId,
    observedAt,
    frameId,
    bounds,
    messageSha256,
    sourceUrl,
    ...(layer.sourceLastModified === undefined ? {} : { sourceLastModified: layer.sourceLastModified }),
    ...(layer.sourceSha256 === undefined ? {} : { sourceSha256: layer.sourceSha256 }),
  };
}

function identityOf(row: EventRecord): Pick<PackEvent, "id" | "kind" | "label" | "origin"> {
  return { id: row.id, kind: row.kind, label: row.label, origin: row.origin };
}

function boundsOf([first, ...others]: Layers): Bounds {
  return unionBounds(first.bounds, ...others.map(({ bounds }) => bounds));
}

function widest(choose: (a: number, b: number) => number, a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return toInstant(choose(parseInstant(a), parseInstant(b)));
}
