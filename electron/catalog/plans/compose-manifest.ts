// Composes and parses a revision's manifest. The stored bytes never change, so key order is part of the format.
import { MrmsLayer, MrmsManifest } from "../../../shared/contract/manifest.ts";
import { legendOf } from "../../../shared/products/palettes.ts";
import { getProduct, products } from "../../../shared/products/registry.ts";
import { attributionOf, disclosureOf, type EventOrigin } from "../../../shared/revisions/event-origin.ts";
import { sha256Of } from "../../platform/sha256.ts";
import type { PublishedLayer } from "../catalog.ts";

/** Valid legends. They are most of a manifest, and the same in all. */
const legends = new Map(
  products.map((product) => [product.id, MrmsLayer.shape.legend.parse(legendOf(product))]),
);

export interface ManifestDraft {
  readonly eventId: string;
  readonly origin: EventOrigin;
  readonly revisionId: string;
  readonly sequence: number;
  readonly publishedAt: string;
  /** Layers in drawing order. */
  readonly layers: readonly PublishedLayer[];
}

export interface ComposedManifest {
  /** UTF-8 JSON. */
  readonly bytes: Uint8Array;
  /** SHA-256 of `bytes`, lower-case hexadecimal. */
  readonly sha256: string;
}

/** Throws a `ZodError` if the draft does not make a valid manifest. */
export function composeManifest(draft: ManifestDraft): ComposedManifest {
  const manifest: MrmsManifest = {
    schemaVersion: 1,
    mode: "live",
    attribution: attributionOf(draft.origin),
    disclosure: disclosureOf(draft.origin),
    eventId: draft.eventId,
    revisionId: draft.revisionId,
    sequence: draft.sequence,
    generatedAt: draft.publishedAt,
    layers: draft.layers.map((layer) => composeLayer(draft.eventId, layer)),
  };
  const parsed = MrmsManifest.parse(manifest);
  // Replaced in place, because the order of the keys is that of the schema.
  for (const layer of parsed.layers) layer.legend = legends.get(layer.id)!;
  return serialize(parsed);
}

/** Serializes a manifest for storage. Throws a `ZodError` if it is invalid. */
export function toComposed(manifest: MrmsManifest): ComposedManifest {
  return serialize(MrmsManifest.parse(manifest));
}

function serialize(manifest: MrmsManifest): ComposedManifest {
  const bytes = Buffer.from(JSON.stringify(manifest), "utf8");
  return { bytes, sha256: sha256Of(bytes) };
}

/** Parses a stored manifest. Throws a `SyntaxError`, `TypeError` or `ZodError` if it is damaged. */
export function parseManifest(bytes: Uint8Array): MrmsManifest {
  return MrmsManifest.parse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
}

export function inDrawingOrder(layers: readonly PublishedLayer[]): PublishedLayer[] {
  const place = (layer: PublishedLayer): number => products.findIndex(({ id }) => id === layer.productId);
  return layers.toSorted((a, b) => place(a) - place(b));
}

export function imageUrlOf(
  eventId: string,
  { productId, frameId }: Pick<PublishedLayer, "productId" | "frameId">,
): string {
  return `/v1/storm-events/${eventId}/frames/${productId}/${frameId}.png`;
}

/** Returns a layer without its legend. */
function composeLayer(eventId: string, layer: PublishedLayer): MrmsLayer {
  const product = getProduct(layer.productId);
  return {
    bounds: layer.bounds,
    caveat: product.caveat,
    description: product.description,
    id: product.id,
    imageUrl: imageUrlOf(eventId, layer),
    label: product.label,
    legend: [],
    observedAt: layer.observedAt,
    opacity: product.opacity,
    ...(layer.sourceLastModified === undefined ? {} : { sourceLastModified: layer.sourceLastModified }),
    sourceUrl: layer.sourceUrl,
    unit: product.unit,
    visible: true,
  };
}
