// Converts a revision of the remote service to one of the catalog: checks its identity against the list, and replaces
// its image URLs.
import type { MrmsHistoryFrame } from "../../../shared/contract/history.ts";
import type { MrmsLayer, MrmsManifest } from "../../../shared/contract/manifest.ts";
import type { StormEvent } from "../../../shared/contract/storm-event.ts";
import { unionBounds } from "../../../shared/geo/bounds.ts";
import type { AdoptDraft, PublishedLayer } from "../../catalog/catalog.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { imageUrlOf } from "../../catalog/plans/compose-manifest.ts";
import { HttpFailure } from "../fetching/http-failure.ts";
import { namedHash } from "./frame-copies.ts";
import type { Candidate } from "./listings.ts";
import type { Tagged } from "./remote-service.ts";

/** @throws HttpFailure `invalid` if the manifest is not the candidate's or is unusable */
export function requireFitting(
  eventId: string,
  candidate: Candidate,
  { value: manifest, etag, body }: Tagged<MrmsManifest>,
): void {
  const differing =
    (manifest.eventId ?? eventId) !== eventId ||
    (manifest.revisionId ?? candidate.revisionId) !== candidate.revisionId ||
    (manifest.sequence ?? candidate.sequence) !== candidate.sequence;
  if (differing) throw new HttpFailure("invalid", "A manifest belongs to another revision.");
  if (new Set(manifest.layers.map(({ id }) => id)).size < manifest.layers.length) {
    throw new HttpFailure("invalid", "A manifest shows a product twice.");
  }
  if (candidate.frame && !agrees(candidate.frame, manifest)) {
    throw new HttpFailure("invalid", "A manifest and the list of revisions disagree about its layers.");
  }
  const isEchotop = manifest.layers.every(({ imageUrl }) => namedHash(imageUrl) !== undefined);
  const taggedHash = /^"([0-9a-f]{64})"$/.exec(etag ?? "")?.[1];
  if (isEchotop && taggedHash !== undefined && taggedHash !== sha256Of(body)) {
    throw new HttpFailure("invalid", "A manifest does not match its hash.");
  }
}

/** Returns true if every layer of the list is in the manifest. The list may omit layers. */
function agrees({ layers }: MrmsHistoryFrame, manifest: MrmsManifest): boolean {
  return layers.every((listed) => {
    const layer = manifest.layers.find(({ id }) => id === listed.id);
    return (
      layer !== undefined &&
      Date.parse(layer.observedAt) === Date.parse(listed.observedAt) &&
      lastSegment(layer.imageUrl) === lastSegment(listed.imageUrl)
    );
  });
}

function lastSegment(url: string): string {
  return url.slice(url.lastIndexOf("/") + 1);
}

export interface DraftParts {
  readonly mirrorOf: string;
  readonly event: StormEvent;
  readonly candidate: Candidate;
  readonly manifest: MrmsManifest;
  /** Ids of the copied frames, in the order of the manifest's layers. */
  readonly frameIds: readonly string[];
}

export function toAdoptDraft({ mirrorOf, event, candidate, manifest, frameIds }: DraftParts): AdoptDraft {
  const { revisionId, sequence, frame } = candidate;
  const layers = manifest.layers.map((layer, index) => toPublishedLayer(layer, frameIds[index]!));
  const [first, ...others] = manifest.layers;
  const newest = manifest.layers.reduce((a, b) =>
    Date.parse(b.observedAt) > Date.parse(a.observedAt) ? b : a,
  );
  return {
    mirrorOf,
    event,
    revision: {
      revisionId,
      sequence,
      observedAt: frame?.observedAt ?? newest.observedAt,
      publishedAt: manifest.generatedAt,
      bounds: unionBounds(first!.bounds, ...others.map(({ bounds }) => bounds)),
    },
    manifest: {
      ...manifest,
      eventId: event.id,
      revisionId,
      sequence,
      layers: manifest.layers.map((layer, index) => ({
        ...layer,
        imageUrl: imageUrlOf(event.id, { productId: layer.id, frameId: frameIds[index]! }),
      })),
    },
    layers,
  };
}

function toPublishedLayer(layer: MrmsLayer, frameId: string): PublishedLayer {
  return {
    productId: layer.id,
    observedAt: layer.observedAt,
    frameId,
    bounds: layer.bounds,
    // The hash of the source message is unknown; the frame's distinguishes contents as well.
    messageSha256: frameId,
    sourceUrl: layer.sourceUrl,
    sourceLastModified: layer.sourceLastModified,
  };
}

/**
 * Returns true if a listed revision and the stored one have the same id and, except for image URLs, the same layers.
 */
export function isSameRevision(
  { revisionId, frame }: Candidate,
  ours: { readonly revisionId: string; readonly layers: readonly MrmsLayer[] },
): boolean {
  if (revisionId !== ours.revisionId) return false;
  return (frame?.layers ?? []).every((listed) => {
    const layer = ours.layers.find(({ id }) => id === listed.id);
    if (!layer) return false;
    const hash = namedHash(listed.imageUrl);
    const isSamePicture = hash === undefined || hash === namedHash(layer.imageUrl);
    return isSamePicture && textOf(listed) === textOf(layer);
  });
}

/**
 * Returns the layer as text without its image URL. Both sides come from one schema, so their keys have the same
 * order.
 */
function textOf(layer: MrmsLayer): string {
  return JSON.stringify({ ...layer, imageUrl: "" });
}
