// The story of a pinned place as the screen shows it, computed again only when a reading or a revision arrives.
import { useMemo } from "react";
import { toPlaceStory, type PlaceStory, type StoryReadings } from "../../state/story/place-story.ts";
import { placeKey, type PlacePin, type ReadingsOfPlace } from "../../state/slices/story-slice.ts";
import { useViewerState } from "../../viewer-context.ts";

const nothingRead: ReadingsOfPlace = new Map();

export function usePlaceStory(pin: PlacePin): PlaceStory {
  const revisions = useViewerState((state) => state.history.revisions);
  const wanted = useStoryReadings(pin);
  return useMemo(() => toPlaceStory(revisions, wanted), [revisions, wanted]);
}

export function useStoryReadings({ coordinate }: PlacePin): StoryReadings {
  const readings = useViewerState((state) => state.readings).get(placeKey(coordinate)) ?? nothingRead;
  const reach = useViewerState((state) => state.storyReach);
  return useMemo(() => ({ readings, reach }), [readings, reach]);
}
