// Facts that the screen derives from the state of the live feed.
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import { mayAct, offersActions } from "../slices/tasks-slice.ts";
import type { ViewerState } from "../store.ts";

/** Returns the feed that runs, or of a mirror's feeds the first with a problem. */
export function selectLiveFeed({ feeds, live }: ViewerState): FeedHealth | undefined {
  return (
    feeds.list.find(({ eventId }) => eventId !== null && eventId === live?.eventId) ??
    feeds.list.find(({ state }) => state === "link-down") ??
    feeds.list[0]
  );
}

/** Returns false where nobody may act, and on a page that may only look while a feed runs. */
export function selectMayGoLive({ access, feeds }: ViewerState): boolean {
  return mayAct(access) || (offersActions(access) && feeds.list.length === 0);
}
