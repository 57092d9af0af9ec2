// The story of a place as CSV (RFC 4180), as the command line prints it.
import type { PublishedAt } from "../slices/history-slice.ts";
import type { PlaceStory, StoryCell } from "./place-story.ts";

export const storyColumns = "observedAt,publishedAt,sequence,layer,lower,upper,nothing";

/** Returns a line a window and layer; times that are not known are empty. */
export function toStoryCsv(story: PlaceStory, publishedAt: Readonly<Record<string, PublishedAt>>): string {
  const lines = story.windows.flatMap(({ layers }) =>
    layers.map(({ id, cell, observedAt, since }) => {
      const published = since.revisionId === undefined ? undefined : publishedAt[since.revisionId];
      const at = typeof published === "object" ? published.at : "";
      return [observedAt, at, since.sequence, id, ...toFields(cell)].join(",");
    }),
  );
  return [storyColumns, ...lines, ""].join("\r\n");
}

function toFields(cell: StoryCell): readonly (string | number)[] {
  if (cell.kind !== "class") return ["", "", cell.kind];
  return [cell.range.lower, cell.range.upper ?? "", ""];
}
