// Answers that list what the catalog holds at one committed state. Their content is rendered once a state and kept with
// it; only the instant at which the list was made changes, at most once a second.
import { createAnswer, jsonType, sha256, weakEtag, type Answer } from "../http/answer.ts";
import { listRefreshMs } from "./storm-limits.ts";

export interface ListContent {
  /** Members before the items, `generatedAt` left out. */
  readonly head: Readonly<Record<string, unknown>>;
  readonly itemsName: string;
  /** JSON text of the array of items. */
  readonly itemsJson: string;
}

interface Rendered {
  readonly content: ListContent;
  readonly etag: string;
  readonly renderedAtMs: number;
  readonly answer: Answer;
}

/**
 * Gives the answer for a snapshot. `snapshot` is the key: the same object must mean the same content. The entity tag is
 * weak, because two answers of one state differ in `generatedAt` alone.
 */
export function createListing<Snapshot extends object>(
  now: () => Date,
  toContent: (snapshot: Snapshot) => ListContent,
): (snapshot: Snapshot) => Answer {
  const cache = new WeakMap<Snapshot, Rendered>();
  return (snapshot) => {
    const at = now();
    const kept = cache.get(snapshot);
    if (kept && Math.abs(at.getTime() - kept.renderedAtMs) < listRefreshMs) return kept.answer;
    const content = kept?.content ?? toContent(snapshot);
    const etag = kept?.etag ?? weakEtag(sha256(JSON.stringify(content.head) + content.itemsJson));
    const answer = render(content, at, etag);
    cache.set(snapshot, { content, etag, renderedAtMs: at.getTime(), answer });
    return answer;
  };
}

function render({ head, itemsName, itemsJson }: ListContent, at: Date, etag: string): Answer {
  const opening = JSON.stringify({ ...head, generatedAt: at.toISOString() }).slice(0, -1);
  const body = `${opening},${JSON.stringify(itemsName)}:${itemsJson}}`;
  return createAnswer({ body, type: jsonType, etag });
}
