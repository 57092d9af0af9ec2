// Revisions of a remote service or of a pack, for tests that adopt them.
import type { StormEvent } from "../../../shared/contract/storm-event.ts";
import type { AdoptDraft } from "../catalog.ts";
import { composeManifest } from "../plans/compose-manifest.ts";
import { layerOf, observedAfter, type LayerFacts } from "./drafts.ts";

export const mirrorOf = "http://127.0.0.1:47800/";

/** Event row of the remote, before, at or after the revision. */
export function theirEvent(change: Partial<StormEvent> = {}): StormEvent {
  return {
    id: "theirs",
    kind: "operational-feed",
    label: "Their feed",
    status: "active",
    retentionClass: "operational",
    startedAt: observedAfter(0),
    endedAt: observedAfter(600),
    bounds: [-101, 29, -89, 41],
    currentRevisionId: "R9",
    updatedAt: observedAfter(700),
    ...change,
  };
}

export interface Offer extends LayerFacts {
  readonly sequence: number;
  readonly event?: Partial<StormEvent>;
}

/** Creates a revision with ids in a foreign form. */
export function offerOf({ sequence, event = {}, ...facts }: Offer): AdoptDraft {
  const row = theirEvent(event);
  const layer = layerOf(facts);
  const revision = {
    revisionId: `R${sequence}`,
    sequence,
    observedAt: layer.observedAt,
    publishedAt: observedAfter(10_000 + sequence),
    bounds: layer.bounds,
  };
  const composed = composeManifest({
    eventId: row.id,
    origin: "observed",
    revisionId: revision.revisionId,
    sequence,
    publishedAt: revision.publishedAt,
    layers: [layer],
  });
  const manifest = JSON.parse(Buffer.from(composed.bytes).toString("utf8")) as AdoptDraft["manifest"];
  return { mirrorOf, event: row, revision, manifest, layers: [layer] };
}
