// When each revision held was published, as far as that is known.
import { memoizeSelector } from "../selectors.ts";
import type { ViewerState } from "../store.ts";

/** Creates a selector of the publication times in milliseconds since the Unix epoch, in the order of `history.all`. */
export function createPublicationTimesSelector(): (state: ViewerState) => readonly (number | undefined)[] {
  return memoizeSelector(
    ({ history, publishedAt }) => [history.all, publishedAt],
    ({ history, publishedAt }) =>
      history.all.map(({ revisionId }) => {
        const published = revisionId === undefined ? undefined : publishedAt[revisionId];
        return typeof published === "object" ? Date.parse(published.at) : undefined;
      }),
  );
}
