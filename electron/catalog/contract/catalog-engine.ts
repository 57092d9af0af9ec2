// An engine as the contract sees it, and the stores of one test on it.
import { onTestFinished } from "vitest";
import type { Catalog, PublishedLayer } from "../catalog.ts";
import type { ReadableStores, Stores } from "../stores/located-stores.ts";
import { findPicture, startMs } from "../support/drafts.ts";

export interface CatalogEngine {
  /** Names the engine in titles of tests. */
  readonly name: string;
  /** Creates an empty place for stores. It is removed after the running test. */
  createPlace(): Promise<EnginePlace>;
}

export interface EnginePlace {
  /** Opens the stores as another process would. The caller closes them. */
  open(): Promise<Stores>;
  openReadable(): Promise<ReadableStores>;
  /** Sets the publication clock of all connections, which then stands still. */
  setClock(nowMs: number): Promise<void>;
  /** Returns the faults that the engine's own verification finds. */
  findFaults(): Promise<readonly string[]>;
}

export interface Connection extends Pick<Stores, "frames" | "sources" | "stagingFolder"> {
  readonly tryFeedLock: Stores["tryFeedLock"];
  /** Before it publishes or adopts layers of `layerOf`, it stores their frames. */
  readonly catalog: Catalog;
  /** Publishes only what is stored. */
  readonly strictCatalog: Catalog;
}

export interface Trial extends Connection {
  readonly setClock: EnginePlace["setClock"];
  readonly findFaults: EnginePlace["findFaults"];
  /** Opens another connection, closed with the test. */
  readonly connect: () => Promise<Connection>;
  /** Opens for reading, closed with the test. */
  readonly connectReader: () => Promise<ReadableStores>;
}

/** Opens an engine on an empty place, an hour after `startMs`; closed with the test. */
export async function openTrial(engine: CatalogEngine): Promise<Trial> {
  const place = await engine.createPlace();
  await place.setClock(startMs + 3_600_000);
  const connect = async (): Promise<Connection> => toConnection(await closedWithTest(place.open()));
  return {
    ...(await connect()),
    setClock: (nowMs) => place.setClock(nowMs),
    findFaults: () => place.findFaults(),
    connect,
    connectReader: () => closedWithTest(place.openReadable()),
  };
}

async function closedWithTest<Kind extends ReadableStores>(opening: Promise<Kind>): Promise<Kind> {
  const stores = await opening;
  onTestFinished(() => stores.close());
  return stores;
}

function toConnection(stores: Stores): Connection {
  const { catalog, frames, sources, stagingFolder } = stores;
  const storeFrames = async (layers: readonly PublishedLayer[]): Promise<void> => {
    for (const { frameId } of layers) {
      const picture = findPicture(frameId);
      if (picture) await frames.put(picture);
    }
  };
  const storing: Catalog = {
    ...catalog,
    publish: async (draft) => {
      await storeFrames(draft.layers);
      return catalog.publish(draft);
    },
    adopt: async (draft) => {
      await storeFrames(draft.layers);
      return catalog.adopt(draft);
    },
    adoptAll: async (drafts) => {
      await storeFrames(drafts.flatMap(({ layers }) => layers));
      return catalog.adoptAll(drafts);
    },
  };
  return {
    catalog: storing,
    strictCatalog: catalog,
    ...{ frames, sources, stagingFolder },
    tryFeedLock: (eventId) => stores.tryFeedLock(eventId),
  };
}
