// The story of the chosen place, between the map and the timeline: its hail and reflectivity in every known window.
import { useDeferredValue, type ReactNode } from "react";
import type { PlacePin } from "../../state/slices/story-slice.ts";
import { useViewerState } from "../../viewer-context.ts";
import { StoryChart } from "./story-chart.tsx";
import { StoryHead, storyPanelId, storyTabId } from "./story-head.tsx";
import { StoryLegend } from "./story-legend.tsx";
import { StoryNotes } from "./story-notes.tsx";
import { StorySentences } from "./story-sentences.tsx";
import { StoryTable } from "./story-table.tsx";
import { usePlaceStory } from "./use-place-story.ts";

export function StoryStrip(): ReactNode {
  const isOpen = useViewerState((state) => state.storyOpen);
  const pin = useViewerState((state) => state.pins[state.chosenPin]);
  return isOpen && pin ? <OpenStory pin={pin} /> : null;
}

function OpenStory({ pin }: { readonly pin: PlacePin }): ReactNode {
  const chosen = useViewerState((state) => state.chosenPin);
  const story = usePlaceStory(pin);
  // A table of many windows gives way to the keys and the pointer.
  const settled = useDeferredValue(story);
  return (
    <section className="story" aria-label={`Story of ${pin.label}`}>
      <StoryHead />
      <div id={storyPanelId} className="story-panel" role="tabpanel" aria-labelledby={storyTabId(chosen)}>
        <StoryNotes story={story} />
        <StorySentences pin={pin} story={story} />
        <StoryLegend />
        <StoryChart pin={pin} story={story} />
        <StoryTable pin={pin} story={settled} />
      </div>
    </section>
  );
}
