// The source of a feed's files: a bucket over HTTPS or a watched folder. A source lists files and downloads one at a
// time.
import type { ListedFile } from "../../catalog/stores/backfill-queue.ts";

export interface TimeRange {
  /** Milliseconds since the Unix epoch, inclusive, compared with the time in a file's name; `toMs` may be Infinity. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** A file as its source lists it; a service queues the same. */
export type SourceAsset = ListedFile;

/** An unusable entry or part of a listing. */
export interface ListingProblem {
  /** Key, file name, or part of the listing. */
  readonly what: string;
  /** A sentence. */
  readonly message: string;
}

export interface Listing {
  /** Newest first. */
  readonly assets: readonly SourceAsset[];
  /** Entries that are not MRMS files of a supported product. */
  readonly strange: readonly ListingProblem[];
  /** Parts that failed while others were listed: a problem of the link. */
  readonly failures: readonly ListingProblem[];
  /** Parts that exist but may not be read. */
  readonly unreadable: readonly ListingProblem[];
  /** Set while files may still be written: when to list again. */
  readonly lookAgainInMs: number | undefined;
  /** The newest file before the range, if the source sees it. */
  readonly newestBefore?: Pick<SourceAsset, "productId" | "observedAt"> | undefined;
}

export interface DownloadOptions {
  /** Path to write to; created or replaced. */
  readonly file: string;
  /** ETag of the stored version, if any. */
  readonly knownEtag: string | undefined;
  readonly signal: AbortSignal;
}

/** `not-modified`: the stored version is current; nothing was written. */
export type Downloaded = "not-modified" | { readonly byteLength: number; readonly sha256: string };

export interface FeedSource {
  /** `noaa`, `bucket:https://host/…`, `folder:NAME`: for people, without a local path. */
  readonly name: string;
  /**
   * @throws AppError `upstream-unavailable`, `upstream-rate-limited` if nothing could be listed; the signal's reason
   */
  list(range: TimeRange, signal: AbortSignal): Promise<Listing>;
  /**
   * @throws AppError `upstream-unavailable`, `upstream-rate-limited`; `source-invalid` if the file differs from the
   * listing; the signal's reason
   */
  download(asset: SourceAsset, options: DownloadOptions): Promise<Downloaded>;
  /** Returns the URL shown to clients; undefined for a local file, which is named by its hash. */
  toSourceUrl(asset: SourceAsset): string | undefined;
  /** Longest interval between two polls, where listing is cheap; undefined leaves it to the configuration. */
  readonly mostPauseMs?: number;
  /** Calls back when something may have changed; polling continues regardless. Returns a function that stops it. */
  watch?(onChange: () => void): () => void;
}
