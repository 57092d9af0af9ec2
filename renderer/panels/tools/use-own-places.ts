// The places that a tool may refer to: the one found by search, and the pinned ones.
import type { PlacePin } from "../../state/slices/story-slice.ts";
import { toOwnPlaces } from "../../state/tools/motion-line.ts";
import { useViewerState } from "../../viewer-context.ts";

export function useOwnPlaces(): PlacePin[] {
  return toOwnPlaces(useViewerState(({ chosenPlace, pins }) => ({ chosenPlace, pins })));
}
