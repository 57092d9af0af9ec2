// What the host knows of a running feed, whatever it follows.
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";

export interface Feed {
  /** One entry for each event that the feed fills. A snapshot: it does not change later. */
  health(): readonly FeedHealth[];
  /** Ends what is under way, soon, and leaves nothing half there. Idempotent. */
  close(): Promise<void>;
}
