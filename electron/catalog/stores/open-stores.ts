// Opens the stores of a location.
import { dataDirectory, type DataDirectory } from "../files/data-directory.ts";
import { tryFeedLock } from "../files/directory-locks.ts";
import { createSourceStore } from "../files/file-source-store.ts";
import { openCatalog, openReadableCatalog } from "../sqlite/open-catalog.ts";
import { answer } from "../sqlite/queries.ts";
import { openFrameStore } from "./open-frame-store.ts";
import type {
  DirectoryLocation,
  FeedLock,
  ReadableStores,
  ServiceLocation,
  Stores,
  StoresLocation,
} from "./located-stores.ts";

export interface StoresOptions {
  /** Clock for publication times. */
  readonly now: () => Date;
  /** Most bytes of frames to cache; default 64 MiB. */
  readonly frameCacheByteLimit?: number | undefined;
}

/**
 * Opens for writing; creates a missing directory, but neither the database nor the bucket of a service.
 * @throws as `openCatalog` and `openService` do
 */
export function openStores(location: StoresLocation, options: StoresOptions): Promise<Stores> {
  return location.kind === "directory" ? openDirectory(location, options) : openLater(location, options);
}

/**
 * Loads what only a service needs.
 * @throws AppError, one line that names the key of the configuration and says what to do
 */
async function openLater(
  location: ServiceLocation,
  { frameCacheByteLimit }: Pick<StoresOptions, "frameCacheByteLimit">,
): Promise<Stores> {
  const { openService } = await import("./service-stores.ts");
  return openService(location, { cacheByteLimit: frameCacheByteLimit });
}

async function openDirectory(
  location: DirectoryLocation,
  { now, frameCacheByteLimit }: StoresOptions,
): Promise<Stores> {
  const { directory } = location;
  const catalog = await openCatalog({ directory, now });
  const frames = await openFrameStore(location, { cacheByteLimit: frameCacheByteLimit });
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

/** Opens for reading. @throws AppError `not-found` if a directory has no catalog, and as `openStores` does */
export async function openReadableStores(
  location: StoresLocation,
  { frameCacheByteLimit }: Omit<StoresOptions, "now"> = {},
): Promise<ReadableStores> {
  if (location.kind === "service") return openLater(location, { frameCacheByteLimit });
  const catalog = await openReadableCatalog(location);
  const frames = await openFrameStore(location, { cacheByteLimit: frameCacheByteLimit });
  const sources = createSourceStore(location);
  return { catalog, frames, sources, close: () => closeBoth({ catalog, frames }) };
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
