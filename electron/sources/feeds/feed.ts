// A running feed, as the host sees it.
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";

export interface Feed {
  /** Returns a snapshot with one entry for each event that the feed fills. */
  health(): readonly FeedHealth[];
  /** Stops soon and leaves nothing half done. Idempotent. */
  close(): Promise<void>;
}
