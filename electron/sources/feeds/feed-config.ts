// Configuration of a feed: its source, its event and its timing. Other limits: feed-limits.ts.

/** Source of a feed that reads GRIB2 files. */
export type FileSourceConfig =
  | { readonly kind: "noaa" }
  /** Root of the bucket's listing and layout, with a trailing slash. */
  | { readonly kind: "bucket"; readonly url: string }
  /** Absolute path. */
  | { readonly kind: "folder"; readonly directory: string };

/** Source of any feed: GRIB2 files, or the revisions of another storm data service at `url`. */
export type FeedSourceConfig = FileSourceConfig | { readonly kind: "mirror"; readonly url: string };

export interface FeedTiming {
  /** Interval between two polls of the source. */
  readonly pollMs: number;
  /** Longest wait of a window for its second product. */
  readonly pairWaitMs: number;
  /** Longest pause after errors. */
  readonly backoffMaxMs: number;
  /** Time before the newest observation that the feed's event keeps. */
  readonly keepMs: number;
}

export interface FeedConfig {
  readonly source: FeedSourceConfig;
  /** Event that the feed fills. A mirror ignores it and follows every event of the other service. */
  readonly eventId: string;
  /** Label of a new event; by default that of a feed of the whole CONUS. */
  readonly label?: string | undefined;
  readonly timing: FeedTiming;
}

export const defaultFeedTiming: FeedTiming = {
  pollMs: 120_000,
  pairWaitMs: 60_000,
  backoffMaxMs: 600_000,
  keepMs: 24 * 3_600_000,
};

export const defaultFeedEventId = "conus-live";
