// The health of a feed: what its source lists, what arrived and how late, what failed and why. For `GET /app/feeds`.
import * as z from "zod";
import { EventId, Instant, ProductId } from "./primitives.ts";

export const feedStates = [
  /** The source was not contacted yet. */
  "starting",
  /** Everything at the source is published. */
  "current",
  /** Older windows are not fetched yet. */
  "catching-up",
  /** The source answers but has nothing newer. */
  "source-idle",
  /** The source does not answer, or its answers are not valid. */
  "link-down",
  /** The newest file arrived but could not be used or published. */
  "processing-failed",
  "stopped",
] as const;
export const FeedState = z.enum(feedStates).meta({ id: "FeedState" });
export type FeedState = z.infer<typeof FeedState>;

/** Age after which a live source is idle: MRMS has a new window every two minutes, two to three minutes late. */
export const sourceIdleAfterMs = 10 * 60_000;

const Count = z.int().min(0);

/** The last failure of a product; `observedAt` is null if unknown. */
export const FeedFailure = z
  .object({ at: Instant, observedAt: Instant.nullable(), message: z.string() })
  .meta({ id: "FeedFailure" });
export type FeedFailure = z.infer<typeof FeedFailure>;

export const FeedProductHealth = z
  .object({
    productId: ProductId,
    /** Newest observation that the source lists. */
    newestListedAt: Instant.nullable(),
    /** Newest published observation. */
    newestPublishedAt: Instant.nullable(),
    /** Time from the newest observation to its arrival. */
    arrivalDelayMs: z.number().nullable(),
    /** Null after recovery: the window was published, or publishing works again. */
    lastFailure: FeedFailure.nullable(),
  })
  .meta({ id: "FeedProductHealth" });
export type FeedProductHealth = z.infer<typeof FeedProductHealth>;

/** Counts since the feed started. */
export const FeedCounts = z
  .object({
    /** Files fetched completely. */
    received: Count,
    /** Revisions of every kind. */
    published: Count,
    corrections: Count,
    completions: Count,
    backfills: Count,
    /** Files whose content was already published. */
    duplicates: Count,
    /** Unusable files, names and listings. */
    failed: Count,
    /** Windows that the source skipped for a product. */
    gaps: Count,
  })
  .meta({ id: "FeedCounts" });
export type FeedCounts = z.infer<typeof FeedCounts>;

/** Returns new counts of zero, for the caller to increment. */
export function createFeedCounts(): { -readonly [Name in keyof FeedCounts]: number } {
  const zeros = Object.keys(FeedCounts.shape).map((name) => [name, 0] as const);
  return Object.fromEntries(zeros) as FeedCounts;
}

export const FeedHealth = z
  .object({
    /** `noaa`, `bucket:https://host/…`, `folder:NAME`, `mirror:http://host`. */
    source: z.string(),
    /** Null for the source as a whole: a mirrored service without a known event. */
    eventId: EventId.nullable(),
    state: FeedState,
    lastCheckedAt: Instant.nullable(),
    lastReachedAt: Instant.nullable(),
    nextCheckAt: Instant.nullable(),
    /** A sentence for a person while the link is down. */
    linkProblem: z.string().nullable(),
    /** Listed windows that wait. */
    pendingWindows: Count,
    products: z.array(FeedProductHealth),
    counts: FeedCounts,
  })
  .meta({ id: "FeedHealth" });
export type FeedHealth = z.infer<typeof FeedHealth>;

export const FeedList = z.object({ feeds: z.array(FeedHealth) }).meta({ id: "FeedList" });
export type FeedList = z.infer<typeof FeedList>;
