// `GET /app/feeds`: how the feeds of this host are. It reads memory alone, so that a viewer may ask every few seconds.
import type { FeedHealth, FeedList } from "../../../../shared/contract/feed-health.ts";
import { createJsonAnswer, sha256, weakEtag, type Answer } from "../../http/answer.ts";

export function createFeeds(feeds: () => readonly FeedHealth[]): () => Answer {
  return () => {
    const list: FeedList = { feeds: [...feeds()] };
    return createJsonAnswer(list, { etag: weakEtag(sha256(JSON.stringify(list))) });
  };
}
