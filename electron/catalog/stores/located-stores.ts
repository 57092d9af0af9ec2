// Interface of the stores: the catalog and the bytes that belong to it, opened together at one place.
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import type { Catalog, ReadableCatalog } from "../catalog.ts";
import type { FrameStore } from "../files/frame-store.ts";
import type { SourceStore } from "../files/source-store.ts";
import type { ServiceWork } from "./backfill-queue.ts";

/** A data directory. */
export interface DirectoryLocation {
  readonly kind: "directory";
  readonly directory: string;
}

/** A service: its database, and the object store of its bytes. Credentials come from the environment and its files. */
export interface ServiceLocation {
  readonly kind: "service";
  /** `postgres://USER@HOST,HOST/DATABASE` */
  readonly catalogUrl: string;
  readonly objects: ObjectsLocation;
  /** Folder of this process for downloads on their way. */
  readonly scratchFolder: string;
}

export interface ObjectsLocation {
  /** `s3://BUCKET/PREFIX`, or `file:///FOLDER` that all machines share. */
  readonly url: string;
  /** Address of the S3 service; undefined: that of AWS. */
  readonly endpoint: string | undefined;
  /** True if the bucket is in the path, and not in the host name. */
  readonly pathStyle: boolean;
}

/** Place of the stores. It can be sent to a worker thread. */
export type StoresLocation = DirectoryLocation | ServiceLocation;

export function atDirectory(directory: string): DirectoryLocation {
  return { kind: "directory", directory };
}

export interface ReadableStores {
  readonly catalog: ReadableCatalog;
  readonly frames: FrameStore;
  readonly sources: Pick<SourceStore, "has" | "read">;
  /** Closes catalog and frames. Idempotent. */
  close(): Promise<void>;
}

export interface Stores extends ReadableStores {
  readonly catalog: Catalog;
  readonly sources: SourceStore;
  /** Folder of downloads on their way to `sources`; worthless after a crash. */
  readonly stagingFolder: string;
  /**
   * Reserves an event for one feed, or in a service what a mirror follows. Returns undefined if another feed has it,
   * perhaps of another process.
   */
  tryFeedLock(name: string): Promise<FeedLock | undefined>;
  /** Work that the processes of a service share; undefined for a data directory. */
  readonly service?: ServiceWork | undefined;
}

/** An event's reservation for a feed. It ends with the process at the latest. */
export interface FeedLock {
  /** Aborted when another process has taken the event over, as it can in a service. */
  readonly lost?: AbortSignal;
  /** In a service: the catalog whose writes fail with `conflict` from then on. */
  readonly catalog?: Catalog;
  /** In a service: tells the other processes how the feed is. */
  readonly report?: (feeds: readonly FeedHealth[]) => Promise<void>;
  /** Idempotent. */
  close(): Promise<void>;
}
