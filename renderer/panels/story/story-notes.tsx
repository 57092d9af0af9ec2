// Beside the sentences: the order that the strip chose for the timeline, and its numbers to take along.
import { useState, type ReactNode } from "react";
import { toStoryCsv } from "../../state/story/story-csv.ts";
import type { PlaceStory } from "../../state/story/place-story.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";

export function StoryNotes({ story }: { readonly story: PlaceStory }): ReactNode {
  const { store } = useViewer();
  const order = useViewerState((state) => state.timelineOrder);
  const [said, setSaid] = useState("");
  const isWhole = story.readCount === story.windows.length;
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(toStoryCsv(story, store.getState().publishedAt));
      setSaid("Copied");
    } catch {
      // Some browsers deny access to the clipboard.
      setSaid("The browser denied it");
    }
  }
  return (
    <div className="story-notes caption">
      <span
        className={said === "" ? "story-order" : ""}
        role="status"
        title="The timeline stands in observed order while a story is open"
      >
        {said === "" && order === "observed" ? "Observed order" : said}
      </span>
      <Button
        className="link"
        unavailable={isWhole ? undefined : "Wait until every window is read"}
        onPress={() => {
          void copy();
        }}
      >
        Copy as CSV
      </Button>
    </div>
  );
}
