// Catalog reads of HTTP requests, as few as correctness allows: the same read once in a turn of the event loop, and
// frame lookups once between commits.
import type { ProductId } from "../../../shared/contract/primitives.ts";
import type { CatalogReader } from "../../catalog/catalog.ts";
import { createHeldReads, type HeldReads } from "./held-reads.ts";
import { maxShownFrames } from "./storm-limits.ts";

export type RequestCatalog = Pick<
  CatalogReader,
  | "listEvents"
  | "findEvent"
  | "listRevisions"
  | "listChanges"
  | "findRevision"
  | "findLatestRevision"
  | "hasFrame"
  | "listNewestAssets"
>;

export interface TurnCatalog extends RequestCatalog {
  /** True while the catalog cannot be reached, and reads return what they returned last. */
  readonly isDegraded: () => boolean;
  readonly close: () => void;
}

/**
 * The requests of one turn had arrived before the turn began, so none of them can know of a commit that the turn's
 * first read did not see. The next turn reads again. `close` stops listening to the catalog.
 */
export function createTurnCatalog(catalog: CatalogReader): TurnCatalog {
  const held = createHeldReads();
  const answers = new Map<string, Promise<unknown>>();
  const once = <Result>(key: string, ask: () => Promise<Result>): Promise<Result> => {
    const known = answers.get(key);
    if (known) return known as Promise<Result>;
    // Runs after the requests of this turn, before the next ones are read.
    if (answers.size === 0) setImmediate(answers.clear.bind(answers));
    const asked = held.read(key, ask);
    answers.set(key, asked);
    return asked;
  };
  return {
    listEvents: (limit) => once(`events ${limit}`, () => catalog.listEvents(limit)),
    findEvent: (eventId) => once(`event ${eventId}`, () => catalog.findEvent(eventId)),
    listRevisions: (eventId, limit) =>
      once(`revisions ${limit} ${eventId}`, () => catalog.listRevisions(eventId, limit)),
    listChanges: (eventId, limit, before) =>
      once(`changes ${limit} ${before} ${eventId}`, () => catalog.listChanges(eventId, limit, before)),
    findRevision: (eventId, revisionId) =>
      once(`revision ${eventId} ${revisionId}`, () => catalog.findRevision(eventId, revisionId)),
    findLatestRevision: (eventId) => once(`latest ${eventId}`, () => catalog.findLatestRevision(eventId)),
    listNewestAssets: () => once("assets", () => catalog.listNewestAssets()),
    ...createShownFrames(catalog, held),
    isDegraded: held.isDegraded,
  };
}

/**
 * Caches found frames until the next commit. A frame whose last revision was pruned a moment ago may be served once
 * more: its bytes have not changed. A missing frame is never cached.
 */
function createShownFrames(catalog: CatalogReader, held: HeldReads) {
  const shown = new Set<string>();
  let commits = 0;
  const close = catalog.onChange(() => {
    commits += 1;
    shown.clear();
  });
  return {
    hasFrame: async (eventId: string, productId: ProductId, frameId: string): Promise<boolean> => {
      const key = `${eventId} ${productId} ${frameId}`;
      if (shown.has(key)) return true;
      const before = commits;
      const isShown = await held.read(`frame ${key}`, () => catalog.hasFrame(eventId, productId, frameId));
      if (isShown && commits === before && shown.size < maxShownFrames) shown.add(key);
      return isShown;
    },
    close,
  };
}
