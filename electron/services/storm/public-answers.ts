// Answers of a public service, for shared caches such as a CDN: what never changes is kept for good, all else for a few
// seconds, so that the requests that reach the service do not grow with its readers. An answer depends on its address
// alone, and any page may read it; so caches need no Vary.
import { cacheRules, type Answer, type Headers } from "../http/answer.ts";

/** Seconds that a shared cache may be behind. */
export const sharedCacheSeconds = 5;

const shared = `public, max-age=0, s-maxage=${sharedCacheSeconds}`;

/** Returns the public form of an answer; the same answer always has the same one. */
export function createPublicAnswers(): (answer: Answer) => Answer {
  const known = new WeakMap<Answer, Answer>();
  return (answer) => {
    let form = known.get(answer);
    if (form === undefined) {
      form = toPublic(answer);
      known.set(answer, form);
    }
    return form;
  };
}

function toPublic(answer: Answer): Answer {
  const rule = answer.headers["cache-control"];
  // Missing resources are cached as briefly as changing ones: they may appear.
  const isShared = rule === cacheRules.revalidate || answer.status === 404;
  const changed: Headers = {
    ...(isShared && { "cache-control": shared }),
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
  };
  return {
    ...answer,
    headers: { ...answer.headers, ...changed },
    notModifiedHeaders: { ...answer.notModifiedHeaders, ...changed },
  };
}
