// Facts that the screen derives from the state of the live feed.
import type { FeedHealth } from "../../shared/contract/feed-health.ts";
import { mayAct } from "./slices/tasks-slice.ts";
import type { ViewerState } from "./store.ts";

/** Returns the feed that runs, or of a mirror's feeds the first with a problem. */
export function selectLiveFeed({ feeds, live }: ViewerState): FeedHealth | undefined {
  return (
    feeds.list.find(({ eventId }) => eventId !== null && eventId === live?.eventId) ??
    feeds.list.find(({ state }) => state === "link-down") ??
    feeds.list[0]
  );
}

/** Returns false on a page that may only look while a feed runs: there is nothing to start. */
export function selectMayGoLive({ access, feeds }: ViewerState): boolean {
  if (access === "public") return false;
  return mayAct(access) || feeds.list.length === 0;
}
