// Opens the stores of a location.
import { dataDirectory, type DataDirectory } from "../files/data-directory.ts";
import { tryFeedLock } from "../files/directory-locks.ts";
import { createSourceStore } from "../files/file-source-store.ts";
import { openCatalog, openReadableCatalog } from "../sqlite/open-catalog.ts";
import { answer } from "../sqlite/queries.ts";
import { openFrameStore } from "./open-frame-store.ts";
import type { FeedLock, ReadableStores, Stores, StoresLocation } from "./located-stores.ts";

export interface StoresOptions {
  /** Clock for publication times. */
  readonly now: () => Date;
  /** Most bytes of frames to cache; default 64 MiB. */
  readonly frameCacheByteLimit?: number | undefined;
}

/** Opens for writing; creates a missing directory. @throws as `openCatalog` does */
export async function openStores(
  location: StoresLocation,
  { now, frameCacheByteLimit }: StoresOptions,
): Promise<Stores> {
  const { directory } = location;
  const catalog = await openCatalog({ directory, now });
  const frames = openFrameStore(location, { cacheByteLimit: frameCacheByteLimit });
  const folders = dataDirectory(directory);
  return {
    catalog,
    frames,
    sources: createSourceStore({ directory }),
    stagingFolder: folders.stagingFolder,
    tryFeedLock: (eventId) => reserve(folders, eventId),
    close: () => closeBoth({ catalog, frames }),
  };
}

/** Opens for reading. @throws AppError `not-found` if there is no catalog, and as `openCatalog` does */
export async function openReadableStores(
  location: StoresLocation,
  { frameCacheByteLimit }: Omit<StoresOptions, "now"> = {},
): Promise<ReadableStores> {
  const catalog = await openReadableCatalog(location);
  const frames = openFrameStore(location, { cacheByteLimit: frameCacheByteLimit });
  return { catalog, frames, close: () => closeBoth({ catalog, frames }) };
}

async function closeBoth({ catalog, frames }: Pick<ReadableStores, "catalog" | "frames">): Promise<void> {
  try {
    await frames.close();
  } finally {
    await catalog.close();
  }
}

function reserve({ feedLock }: DataDirectory, eventId: string): Promise<FeedLock | undefined> {
  return answer(() => {
    const lock = tryFeedLock(feedLock(eventId));
    return (
      lock && {
        close: () =>
          answer(() => {
            lock.close();
          }),
      }
    );
  });
}
