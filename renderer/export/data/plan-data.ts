// The data that the viewer can save now: layers, revisions and file names. Pure.
import type { MrmsLayer } from "../../../shared/contract/index.ts";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import type { ExportedRevision } from "../../../shared/rasters/exported-layer.ts";
import type { OutlinesFormat, OutlinesRequest } from "../../frames/analysis-messages.ts";
import {
  knownLayersOf,
  memoizePerStore,
  selectSelectedEvent,
  selectShownRevision,
  toLayerViews,
} from "../../state/selectors.ts";
import { toSoFar } from "../../state/so-far/so-far.ts";
import type { ViewerState } from "../../state/store.ts";
import { loopOrder } from "../../state/timeline/loop.ts";
import { findRevision, type Revision } from "../../state/timeline/revisions.ts";
import type { DataLayer } from "./data-messages.ts";

/** Returns the visible layers of the revision on screen; empty if there are none. */
export function planShownLayers(state: ViewerState): DataLayer[] {
  const shown = selectShownRevision(state);
  return shown ? toDataLayers(state, [shown]) : [];
}

/** Returns the visible layers of the loop's revisions, in playing order. */
export function planLoopLayers(state: ViewerState): DataLayer[] {
  const { revisions } = state.history;
  const order = loopOrder(revisions, state.loop, state.playOrder);
  return toDataLayers(
    state,
    order.map((sequence) => findRevision(revisions, sequence)!),
  );
}

/** Returns the newest description of each layer in the list. */
export function layersOf(state: ViewerState, layers: readonly DataLayer[]): MrmsLayer[] {
  const ids = new Set(layers.map(({ facts }) => facts.id));
  return knownLayersOf(state.history.revisions).filter(({ id }) => ids.has(id));
}

function toDataLayers(state: ViewerState, revisions: readonly Revision[]): DataLayer[] {
  const known = knownLayersOf(state.history.revisions);
  return revisions.flatMap((revision) => {
    const facts = toRevisionFacts(state, revision);
    if (!facts) return [];
    return toLayerViews(known, revision, state.layerPreferences)
      .filter(({ delivered, visible }) => delivered && visible)
      .map(({ layer: { id, label, observedAt, caveat, imageUrl, bounds } }) => ({
        facts: { revision: facts, id, label, observedAt, caveat, frameId: toFrameId(imageUrl) },
        frame: { imageUrl, bounds },
      }));
  });
}

/** Returns undefined for a revision without an id: nothing could cite it. */
function toRevisionFacts(
  state: ViewerState,
  { revisionId, sequence }: Revision,
): ExportedRevision | undefined {
  const event = selectSelectedEvent(state);
  if (!event || revisionId === undefined) return undefined;
  const { attribution, disclosure } = state.history;
  const published = state.publishedAt[revisionId];
  return {
    event: { id: event.id, label: event.label, nature: natureOf(event) },
    ...{ revisionId, sequence, attribution, disclosure },
    publishedAt: typeof published === "object" ? published.at : undefined,
  };
}

/** Returns the last part of a frame's address, which names its content. */
function toFrameId(imageUrl: string): string {
  return imageUrl
    .replace(/#.*$/, "")
    .replace(/^.*\//, "")
    .replace(/\.png$/, "");
}

/** Returns true if the largest so far has outlines to save. */
export const selectHasOutlines = memoizePerStore(
  (state) => [
    ...[state.soFarProduct, state.history.revisions, state.loop, state.knownAt, state.playhead],
    selectShownRevision(state),
  ],
  (state) => planOutlines(state, "geojson") !== undefined,
);

/** Returns the request for the outlines of the largest so far, from the loop's start to the playhead. */
export function planOutlines(
  state: ViewerState,
  format: OutlinesFormat,
): { readonly request: OutlinesRequest; readonly name: string } | undefined {
  const event = selectSelectedEvent(state);
  const last = selectShownRevision(state);
  const soFar = last && toSoFar(state, last);
  if (!event || !soFar) return undefined;
  const used = soFar.windows.flatMap((window) =>
    "layer" in window ? [{ observedAt: window.layer.observedAt, revisionId: window.since.revisionId }] : [],
  );
  const { attribution, disclosure } = state.history;
  const about = {
    event: { id: event.id, label: event.label, nature: natureOf(event) },
    attribution,
    disclosure,
  };
  const revisions = used.map(({ observedAt, revisionId = "" }) => ({ observedAt, revisionId }));
  if (revisions.length === 0) return undefined;
  return {
    request: { format, frames: soFar.frames, revisions, about },
    name: `echotop-${event.id}-rev${last.sequence}-${soFar.product}-so-far.${format}`,
  };
}
