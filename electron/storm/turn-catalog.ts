// A catalog that is asked the same question once a turn of the event loop. All requests that one turn reads had arrived
// before the turn began, so none of them can know of a commit that its first read did not see; the next turn asks again.
import type { CatalogReader } from "../catalog/catalog.ts";

/** The questions that HTTP requests ask. */
export type RequestCatalog = Pick<
  CatalogReader,
  | "listEvents"
  | "findEvent"
  | "listRevisions"
  | "findRevision"
  | "findLatestRevision"
  | "hasFrame"
  | "listNewestAssets"
>;

export function createTurnCatalog(catalog: CatalogReader): RequestCatalog {
  const answers = new Map<string, Promise<unknown>>();
  const forget = (): void => {
    answers.clear();
  };
  const once = <Result>(key: string, ask: () => Promise<Result>): Promise<Result> => {
    const known = answers.get(key);
    if (known) return known as Promise<Result>;
    // Runs when everything that this turn has read is answered, before the next reading.
    if (answers.size === 0) setImmediate(forget);
    const asked = ask();
    answers.set(key, asked);
    return asked;
  };
  return {
    listEvents: (limit) => once(`events ${limit}`, () => catalog.listEvents(limit)),
    findEvent: (eventId) => once(`event ${eventId}`, () => catalog.findEvent(eventId)),
    listRevisions: (eventId, limit) =>
      once(`revisions ${limit} ${eventId}`, () => catalog.listRevisions(eventId, limit)),
    findRevision: (eventId, revisionId) =>
      once(`revision ${eventId} ${revisionId}`, () => catalog.findRevision(eventId, revisionId)),
    findLatestRevision: (eventId) => once(`latest ${eventId}`, () => catalog.findLatestRevision(eventId)),
    hasFrame: (eventId, productId, frameId) =>
      once(`frame ${eventId} ${productId} ${frameId}`, () => catalog.hasFrame(eventId, productId, frameId)),
    listNewestAssets: () => once("assets", () => catalog.listNewestAssets()),
  };
}
