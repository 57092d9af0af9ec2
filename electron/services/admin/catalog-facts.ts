// Facts about the catalog for metrics and readiness: if it can be read, and the newest events.
import type { CatalogReader, EventRecord } from "../../catalog/catalog.ts";

/** Events with metrics of their own: each is a label, and labels must stay few. */
export const mostMeteredEvents = 20;

export interface CatalogFacts {
  /** Undefined while the catalog cannot be read. */
  readonly events: readonly EventRecord[] | undefined;
  /** Revisions published, by any process, since the first reading. */
  readonly publications: number;
}

/** Returns a function that reads the facts; it gives up after `limitMs` and never throws. */
export function createCatalogFacts(
  catalog: Pick<CatalogReader, "listEvents">,
  limitMs: number,
): () => Promise<CatalogFacts> {
  const known = new Map<string, number>();
  let hasRead = false;
  let publications = 0;
  return async () => {
    const events = await readWithin(catalog.listEvents(mostListed), limitMs);
    if (events === undefined) return { events, publications };
    for (const { id, latestSequence } of events) {
      if (hasRead) publications += Math.max(0, latestSequence - (known.get(id) ?? 0));
      known.set(id, latestSequence);
    }
    hasRead = true;
    return { events: events.slice(0, mostMeteredEvents), publications };
  };
}

/** Events read: as many as the service lists, so that the reading is shared with requests. */
const mostListed = 100;

/** Returns undefined if the reading fails or takes longer. */
export async function readWithin<T>(reading: Promise<T>, limitMs: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, limitMs, undefined);
  try {
    return await Promise.race([reading, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
