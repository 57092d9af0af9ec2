// Which revisions could be shown at once? From what the map has said of their frames.
import type { FrameState } from "../map/scene.ts";
import type { Revision } from "./revisions.ts";
import { visibleFrames } from "./to-scene.ts";
import { knownLayersOf, toLayerViews } from "./selectors.ts";
import type { ViewerState } from "./store.ts";

export type Readiness = "ready" | "loading" | "failed";

type Inputs = Pick<ViewerState, "layerPreferences"> & {
  readonly revisions: readonly Revision[];
  readonly frames: Readonly<Record<string, FrameState>>;
};

function toReadiness({ revisions, frames, layerPreferences }: Inputs, revision: Revision): Readiness {
  const views = toLayerViews(knownLayersOf(revisions), revision, layerPreferences);
  const visible = new Set(views.filter((view) => view.visible).map((view) => view.layer.id));
  const statuses = visibleFrames(revision, visible).map((frame) => frames[frame.imageUrl]?.status);
  if (statuses.length > 0 && statuses.every((status) => status === "failed")) return "failed";
  return statuses.every((status) => status === "ready" || status === "failed") ? "ready" : "loading";
}

function toInputs({ history, picture, layerPreferences }: ViewerState): Inputs {
  return { revisions: history.revisions, frames: picture.frames, layerPreferences };
}

/** Whether a revision's picture is at hand: failed only when nothing of it can be drawn. */
export function revisionState(state: ViewerState, revision: Revision): Readiness {
  return toReadiness(toInputs(state), revision);
}

/** One answer a revision, in their order; the same array until something changes that it depends on. */
export function createReadinessSelector(): (state: ViewerState) => readonly Readiness[] {
  let known: { readonly inputs: Inputs; readonly states: readonly Readiness[] } | undefined;
  return (state) => {
    const inputs = toInputs(state);
    const same =
      known?.inputs.revisions === inputs.revisions &&
      known.inputs.frames === inputs.frames &&
      known.inputs.layerPreferences === inputs.layerPreferences;
    if (!known || !same) {
      known = { inputs, states: inputs.revisions.map((revision) => toReadiness(inputs, revision)) };
    }
    return known.states;
  };
}
