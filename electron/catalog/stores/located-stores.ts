// Interface of the stores: the catalog and the bytes that belong to it, opened together at one place.
import type { Catalog, ReadableCatalog } from "../catalog.ts";
import type { FrameStore } from "../files/frame-store.ts";
import type { SourceStore } from "../files/source-store.ts";

/** A data directory. */
export interface DirectoryLocation {
  readonly kind: "directory";
  readonly directory: string;
}

/** Place of the stores. It can be sent to a worker thread. */
export type StoresLocation = DirectoryLocation;

export function atDirectory(directory: string): StoresLocation {
  return { kind: "directory", directory };
}

export interface ReadableStores {
  readonly catalog: ReadableCatalog;
  readonly frames: FrameStore;
  /** Closes catalog and frames. Idempotent. */
  close(): Promise<void>;
}

export interface Stores extends ReadableStores {
  readonly catalog: Catalog;
  readonly sources: SourceStore;
  /** Folder of downloads on their way to `sources`; worthless after a crash. */
  readonly stagingFolder: string;
  /** Reserves an event for one feed. Returns undefined if another feed, perhaps of another process, has it. */
  tryFeedLock(eventId: string): Promise<FeedLock | undefined>;
}

/** An event's reservation for a feed. It ends with the process at the latest. */
export interface FeedLock {
  /** Idempotent. */
  close(): Promise<void>;
}
