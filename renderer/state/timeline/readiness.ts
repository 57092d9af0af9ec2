// The readiness of revisions for display, from the frame states that the map reported.
import type { Revision } from "./revisions.ts";
import { memoizeSelector } from "../selectors.ts";
import type { ViewerState } from "../store.ts";

export type Readiness = "ready" | "loading" | "failed";

/** Returns the readiness of a revision's picture: "failed" only if none of its frames can be drawn. */
export function revisionState(state: ViewerState, revision: Revision): Readiness {
  const { layerPreferences, picture } = state;
  const statuses = revision.layers
    .filter(({ id, visible }) => layerPreferences[id]?.visible ?? visible)
    .map(({ imageUrl }) => picture.frames[imageUrl]?.status);
  if (statuses.length > 0 && statuses.every((status) => status === "failed")) return "failed";
  return statuses.every((status) => status === "ready" || status === "failed") ? "ready" : "loading";
}

/** Creates a selector of the readiness of these revisions, in their order. */
export function createReadinessSelector(
  revisions: readonly Revision[],
): (state: ViewerState) => readonly Readiness[] {
  return memoizeSelector(
    ({ picture, layerPreferences }) => [picture.frames, layerPreferences],
    (state) => revisions.map((revision) => revisionState(state, revision)),
  );
}
