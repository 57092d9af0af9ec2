// The parts of the viewer that a citable view is read from and shown on, and how its revisions are named.
import type { MrmsLayer } from "../../../shared/contract/index.ts";
import type { PinnedFrame } from "../../../shared/views/citable-view.ts";
import type { RevisionHere } from "../../../shared/views/view-differences.ts";
import type { PaneSession } from "../panes/pane-session.ts";
import type { ViewerStore } from "../store.ts";
import { perList } from "../timeline/revisions.ts";

/** The viewer, as far as views need it. */
export interface ViewScreen {
  readonly store: ViewerStore;
  readonly panes: Pick<PaneSession, "store" | "setCount" | "activate">;
}

/** Returns the id of a frame, which is the hash of its bytes; undefined at a service with other addresses. */
export function toFrameId(imageUrl: string): string | undefined {
  return /\/([A-Za-z0-9-]{1,100})\.png(?:[?#]|$)/.exec(imageUrl)?.[1];
}

export function toPinnedFrames(layers: readonly MrmsLayer[]): PinnedFrame[] {
  return layers.flatMap(({ id, imageUrl, bounds }) => {
    const frame = toFrameId(imageUrl);
    return frame === undefined ? [] : [{ id, frame, bounds: [...bounds] }];
  });
}

export const toRevisionsHere = perList((revisions): readonly RevisionHere[] =>
  revisions.map(({ sequence, revisionId, observedAt, layers }) => ({
    ...{ sequence, id: revisionId, observedAt },
    layers: layers.map(({ id, imageUrl, bounds }) => ({ id, frame: toFrameId(imageUrl), bounds })),
  })),
);
