// From what the followed service says of one revision to what our catalog takes over: identity held against the list, every
// layer against the contract, image URLs made our own. Pure functions over parsed documents.
import type { MrmsHistoryFrame } from "../../../shared/contract/history.ts";
import type { MrmsLayer, MrmsManifest } from "../../../shared/contract/manifest.ts";
import type { StormEvent } from "../../../shared/contract/storm-event.ts";
import { unionBounds } from "../../../shared/geo/bounds.ts";
import type { AdoptDraft, PublishedLayer } from "../../catalog/catalog.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { imageUrlOf } from "../../catalog/compose-manifest.ts";
import { namedHash } from "./frame-copies.ts";
import type { Candidate } from "./listings.ts";
import { MirrorFault } from "./mirror-fault.ts";
import type { Tagged } from "./remote-service.ts";

/** @throws MirrorFault for a manifest that is not the candidate's, or that no revision can be made of */
export function requireFitting(
  eventId: string,
  candidate: Candidate,
  { value: manifest, etag, body }: Tagged<MrmsManifest>,
): void {
  const differing =
    (manifest.eventId ?? eventId) !== eventId ||
    (manifest.revisionId ?? candidate.revisionId) !== candidate.revisionId ||
    (manifest.sequence ?? candidate.sequence) !== candidate.sequence;
  if (differing) throw new MirrorFault("answer", "A manifest is that of another revision.");
  if (new Set(manifest.layers.map(({ id }) => id)).size < manifest.layers.length) {
    throw new MirrorFault("answer", "A manifest shows one product twice.");
  }
  if (candidate.frame && !agrees(candidate.frame, manifest)) {
    throw new MirrorFault("answer", "A manifest and the list of revisions differ about its layers.");
  }
  const isOurKind = manifest.layers.every(({ imageUrl }) => namedHash(imageUrl) !== undefined);
  const taggedHash = /^"([0-9a-f]{64})"$/.exec(etag ?? "")?.[1];
  if (isOurKind && taggedHash !== undefined && taggedHash !== sha256Of(body)) {
    throw new MirrorFault("answer", "A manifest does not match its hash.");
  }
}

/** A list may leave layers out (it may even have none), but what it has must be in the manifest. */
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
  /** Our frame of each layer, in the manifest's order. */
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
    // The message's own hash is not known here; the frame's tells contents apart as well.
    messageSha256: frameId,
    sourceUrl: layer.sourceUrl,
    sourceLastModified: layer.sourceLastModified,
  };
}

/**
 * Whether a listed revision is the one that was taken over under its sequence: the same id and, where the list has layers,
 * the same layers but for where their pictures are.
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

/** But for where its picture is. Both come out of the same schema, so that their keys are in the same order. */
function textOf(layer: MrmsLayer): string {
  return JSON.stringify({ ...layer, imageUrl: "" });
}
