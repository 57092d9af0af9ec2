// Where a feed gets its files: a bucket over HTTPS or a watched folder. A source lists what it has and hands over one file
// at a time; what becomes of the files is not its business.
import type { ProductId } from "../../../shared/contract/primitives.ts";

export interface TimeRange {
  /** Milliseconds since the Unix epoch, both inclusive, compared with the time in a file's name; `toMs` may be Infinity. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** One file as its source lists it. */
export interface SourceAsset {
  /** What tells it from all other files of its source: a URL or an absolute path. */
  readonly locator: string;
  /** Without folder. */
  readonly name: string;
  /** By its name. */
  readonly productId: ProductId;
  /** By its name, `2024-02-28T02:52:39Z`. */
  readonly observedAt: string;
  readonly byteLength: number;
  /** Changes whenever the content does; without quotes. */
  readonly etag: string | undefined;
  readonly lastModifiedAt: string | undefined;
}

/** Something in a listing, or a part of it, that cannot be used. */
export interface ListingProblem {
  /** The key, the file name, or the part of the listing. */
  readonly what: string;
  /** A sentence. */
  readonly message: string;
}

export interface Listing {
  /** Newest first. */
  readonly assets: readonly SourceAsset[];
  /** Names that are no MRMS file of ours, although they lie where only those belong. */
  readonly strange: readonly ListingProblem[];
  /** Parts that could not be listed while others could: a fault of the link. */
  readonly failures: readonly ListingProblem[];
  /** Parts that are there and may not be read: no fault of the link. */
  readonly unreadable: readonly ListingProblem[];
  /** Set when files are there that still grow: how long until another look is worth while. */
  readonly lookAgainInMs: number | undefined;
}

export interface DownloadOptions {
  /** Where the bytes go; the file is made or replaced. */
  readonly file: string;
  /** The ETag of what we hold of this asset already, if any. */
  readonly knownEtag: string | undefined;
  readonly signal: AbortSignal;
}

/** `not-modified`: the source says that it is what we hold already; nothing was written. */
export type Downloaded = "not-modified" | { readonly byteLength: number; readonly sha256: string };

export interface FeedSource {
  /** `noaa`, `bucket:https://host/…`, `folder:NAME`: for people, without a path of this machine. */
  readonly name: string;
  /**
   * @throws AppError `upstream-unavailable` or `upstream-rate-limited` where nothing could be listed; the signal's reason
   */
  list(range: TimeRange, signal: AbortSignal): Promise<Listing>;
  /**
   * @throws AppError `upstream-unavailable` or `upstream-rate-limited` where the source did not answer as it should,
   * `source-invalid` where the file is not what was listed; the signal's reason
   */
  download(asset: SourceAsset, options: DownloadOptions): Promise<Downloaded>;
  /** What a client learns of where the file came from; undefined for a local file, which is named by its hash. */
  toSourceUrl(asset: SourceAsset): string | undefined;
  /** Calls back when something may have changed; a feed looks at its cadence all the same. Returns what ends it. */
  watch?(onChange: () => void): () => void;
}
