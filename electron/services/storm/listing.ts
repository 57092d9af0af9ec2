// Lists of what the catalog contains at one committed state. The content is rendered once for each state; only
// `generatedAt` changes, at most once a second.
import { sha256Of } from "../../platform/sha256.ts";
import { createAnswer, jsonType, weakEtag, type Answer } from "../http/answer.ts";
import { listRefreshMs } from "./storm-limits.ts";

export interface ListContent {
  /** Members before the items, without `generatedAt`. */
  readonly head: Readonly<Record<string, unknown>>;
  readonly itemsName: string;
  /** JSON text of the array of items. */
  readonly itemsJson: string;
}

/**
 * Returns a function from a snapshot to its answer, which is cached by the snapshot object: the same object must have
 * the same content. The entity tag is weak, because answers of one state differ in `generatedAt`.
 */
export function createListing<Snapshot extends object>(
  now: () => Date,
  toContent: (snapshot: Snapshot) => ListContent,
): (snapshot: Snapshot) => Answer {
  const cache = new WeakMap<Snapshot, { content: ListContent; etag: string; atMs: number; answer: Answer }>();
  return (snapshot) => {
    const at = now();
    const kept = cache.get(snapshot);
    if (kept && Math.abs(at.getTime() - kept.atMs) < listRefreshMs) return kept.answer;
    const content = kept?.content ?? toContent(snapshot);
    const etag = kept?.etag ?? weakEtag(sha256Of(JSON.stringify(content.head) + content.itemsJson));
    const answer = render(content, at, etag);
    cache.set(snapshot, { content, etag, atMs: at.getTime(), answer });
    return answer;
  };
}

function render({ head, itemsName, itemsJson }: ListContent, at: Date, etag: string): Answer {
  const opening = JSON.stringify({ ...head, generatedAt: at.toISOString() }).slice(0, -1);
  const body = `${opening},${JSON.stringify(itemsName)}:${itemsJson}}`;
  return createAnswer({ body, type: jsonType, etag });
}
