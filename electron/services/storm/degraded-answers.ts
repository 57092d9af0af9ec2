// Marks answers that may be old, because the catalog cannot be reached, with `Cache-Status` (RFC 9211). What never
// changes is as good as ever, and a refusal says what is wrong itself.
import { cacheRules, type Answer } from "../http/answer.ts";

const mark = { "cache-status": "echotop; hit; detail=catalog-unavailable" } as const;

/** Returns a function that marks an answer if need be; the same answer always has the same marked form. */
export function createDegradedAnswers(isDegraded: () => boolean): (answer: Answer) => Answer {
  const known = new WeakMap<Answer, Answer>();
  return (answer) => {
    if (!isDegraded() || answer.status !== 200) return answer;
    if (answer.headers["cache-control"] === cacheRules.immutable) return answer;
    let marked = known.get(answer);
    if (marked === undefined) {
      marked = {
        ...answer,
        headers: { ...answer.headers, ...mark },
        notModifiedHeaders: { ...answer.notModifiedHeaders, ...mark },
      };
      known.set(answer, marked);
    }
    return marked;
  };
}
