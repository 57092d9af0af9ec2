// Opens all stores of a service: the catalog in PostgreSQL, frames and sources in an object store.
import { join } from "node:path";
import { openObjectFrameStore } from "../objects/object-frame-store.ts";
import { createObjectSourceStore } from "../objects/object-source-store.ts";
import type { Stores } from "../stores/located-stores.ts";
import { createSweep } from "./leases/sweep-turn.ts";
import { tryHoldLease } from "./leases/held-lease.ts";
import {
  openServiceCatalog,
  type ServiceCatalog,
  type ServiceCatalogOptions,
} from "./open-service-catalog.ts";

export interface ServiceStoresOptions extends ServiceCatalogOptions {
  /** Folder of this machine for frames read lately and for downloads; it may vanish. */
  readonly scratchFolder: string;
  /** Most bytes of frames to keep in memory; default 64 MiB. */
  readonly frameCacheByteLimit?: number | undefined;
  /** Most bytes of frames to keep in the scratch folder; default 2 GiB. */
  readonly scratchByteLimit?: number | undefined;
}

export interface ServiceStores extends Stores {
  readonly catalog: ServiceCatalog;
}

const defaultScratchBytes = 2 ** 31;

/** Closing them leaves the object store open. @throws AppError that names `catalog.url` and says what to do */
export async function openServiceStores({
  scratchFolder,
  frameCacheByteLimit,
  scratchByteLimit = defaultScratchBytes,
  ...options
}: ServiceStoresOptions): Promise<ServiceStores> {
  const catalog = await openServiceCatalog(options);
  const { objects } = options;
  const blobs = { objects, blobs: catalog.blobs };
  const frames = await openObjectFrameStore({
    ...blobs,
    ...(frameCacheByteLimit === undefined ? {} : { cacheByteLimit: frameCacheByteLimit }),
    scratch: { folder: join(scratchFolder, "frames"), byteLimit: scratchByteLimit },
  });
  return {
    catalog,
    frames,
    sources: createObjectSourceStore(blobs),
    stagingFolder: join(scratchFolder, "staging"),
    tryFeedLock: async (eventId) => {
      const held = await tryHoldLease(catalog.leases, `feed ${eventId}`);
      if (held === undefined) return undefined;
      const { lease } = held;
      return {
        ...held,
        catalog: catalog.underLease(lease),
        report: (feeds) => catalog.feedReports.write(lease, feeds),
      };
    },
    service: {
      backfills: catalog.backfills,
      listFeeds: () => catalog.feedReports.list(),
      sweep: createSweep(catalog.leases, blobs),
    },
    close: async () => {
      await frames.close();
      await catalog.close();
    },
  };
}
