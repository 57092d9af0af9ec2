// What HTTP requests ask of the catalog, asked as seldom as the truth allows: the same question once a turn of the event
// loop, and whether a frame is shown anywhere once a commit.
import type { ProductId } from "../../../shared/contract/primitives.ts";
import type { CatalogReader } from "../../catalog/catalog.ts";
import { maxShownFrames } from "./storm-limits.ts";

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

export interface TurnCatalog extends RequestCatalog {
  /** Ends listening to the catalog. */
  readonly close: () => void;
}

/**
 * All requests that one turn of the event loop reads had arrived before the turn began, so none of them can know of a
 * commit that the turn's first question did not see; the next turn asks again.
 */
export function createTurnCatalog(catalog: CatalogReader): TurnCatalog {
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
  const shown = createShownFrames(catalog);
  return {
    listEvents: (limit) => once(`events ${limit}`, () => catalog.listEvents(limit)),
    findEvent: (eventId) => once(`event ${eventId}`, () => catalog.findEvent(eventId)),
    listRevisions: (eventId, limit) =>
      once(`revisions ${limit} ${eventId}`, () => catalog.listRevisions(eventId, limit)),
    findRevision: (eventId, revisionId) =>
      once(`revision ${eventId} ${revisionId}`, () => catalog.findRevision(eventId, revisionId)),
    findLatestRevision: (eventId) => once(`latest ${eventId}`, () => catalog.findLatestRevision(eventId)),
    listNewestAssets: () => once("assets", () => catalog.listNewestAssets()),
    hasFrame: shown.hasFrame,
    close: shown.close,
  };
}

/**
 * Remembers frames that are shown until it hears of a commit. A frame whose last revision was pruned a moment before may
 * be given once more: its bytes are as immutable as they were. That a frame is not shown is never remembered.
 */
function createShownFrames(catalog: CatalogReader): Pick<TurnCatalog, "hasFrame" | "close"> {
  const shown = new Set<string>();
  let commits = 0;
  const stopListening = catalog.onChange(() => {
    commits += 1;
    shown.clear();
  });
  return {
    async hasFrame(eventId: string, productId: ProductId, frameId: string): Promise<boolean> {
      const key = `${eventId} ${productId} ${frameId}`;
      if (shown.has(key)) return true;
      const before = commits;
      const isShown = await catalog.hasFrame(eventId, productId, frameId);
      if (isShown && commits === before && shown.size < maxShownFrames) shown.add(key);
      return isShown;
    },
    close: stopListening,
  };
}
