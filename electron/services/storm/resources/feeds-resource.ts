// `GET /app/feeds`: the health of this host's feeds. It reads only memory, so that a viewer may poll every few seconds.
import type { FeedHealth, FeedList } from "../../../../shared/contract/feed-health.ts";
import { createJsonAnswer, sha256, weakEtag, type Answer } from "../../http/answer.ts";

export function createFeeds(feeds: () => readonly FeedHealth[]): () => Answer {
  return () => {
    const list: FeedList = { feeds: [...feeds()] };
    return createJsonAnswer(list, { etag: weakEtag(sha256(JSON.stringify(list))) });
  };
}
