// The frames of a step of the chosen event, so that they are read before the step is wanted. Steps of several panes, of
// another event or of a revision that is not held are read as they open.
import type { BriefingStep } from "../../../shared/views/briefing-steps.ts";
import type { FrameRef } from "../../frames/frame-ref.ts";
import { visibleFrames } from "../to-scene.ts";
import { findRevision } from "../timeline/revisions.ts";
import type { ViewerState } from "../store.ts";

/** Returns the frames that the map draws for a step; none if it cannot be known before the step opens. */
export function findStepFrames(state: ViewerState, { view }: BriefingStep): readonly FrameRef[] {
  const [pane, ...others] = view.panes;
  if (!pane?.revision || others.length > 0 || pane.event.id !== state.selectedEventId) return [];
  const revision = findRevision(state.history.all, pane.revision.sequence);
  const visible = pane.layers.filter((layer) => layer.visible).map(({ id }) => id);
  return revision ? visibleFrames(revision, new Set(visible)) : [];
}

/** Returns true if the step's picture can be shown at once, or if only opening it can tell. */
export function isStepReady(state: ViewerState, step: BriefingStep): boolean {
  return findStepFrames(state, step).every(({ imageUrl }) => {
    const status = state.picture.frames[imageUrl]?.status;
    return status === "ready" || status === "failed";
  });
}
