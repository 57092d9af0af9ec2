// How a feed is doing: what its source has, what arrived and how late, what failed and why. Served by `GET /app/feeds`.
import * as z from "zod";
import { EventId, Instant, ProductId } from "./primitives.ts";

export const feedStates = [
  /** Nothing has been asked of the source yet. */
  "starting",
  /** Everything that the source has is published. */
  "current",
  /** Older windows are still to be fetched. */
  "catching-up",
  /** The source answers and has nothing newer. */
  "source-idle",
  /** The source does not answer, or not as it should. */
  "link-down",
  /** The newest file arrived and could not be used or published. */
  "processing-failed",
  "stopped",
] as const;
export const FeedState = z.enum(feedStates).meta({ id: "FeedState" });
export type FeedState = z.infer<typeof FeedState>;

/** A live source whose newest observation is older is idle: MRMS has a new window every two minutes, two to three minutes late. */
export const sourceIdleAfterMs = 10 * 60_000;

const Count = z.int().min(0);

/** What went wrong last with a file of a product; `observedAt` is null where nobody knows. */
export const FeedFailure = z
  .object({ at: Instant, observedAt: Instant.nullable(), message: z.string() })
  .meta({ id: "FeedFailure" });
export type FeedFailure = z.infer<typeof FeedFailure>;

export const FeedProductHealth = z
  .object({
    productId: ProductId,
    /** The newest observation that the source lists. */
    newestListedAt: Instant.nullable(),
    /** The newest observation that was published. */
    newestPublishedAt: Instant.nullable(),
    /** From the newest observation to its arrival here, in milliseconds. */
    arrivalDelayMs: z.number().nullable(),
    /** Null once what failed has come good: its window was published, or publishing works again. */
    lastFailure: FeedFailure.nullable(),
  })
  .meta({ id: "FeedProductHealth" });
export type FeedProductHealth = z.infer<typeof FeedProductHealth>;

/** Since the feed was started. */
export const FeedCounts = z
  .object({
    /** Files fetched whole. */
    received: Count,
    /** Revisions made, of every kind. */
    published: Count,
    corrections: Count,
    completions: Count,
    backfills: Count,
    /** Files that hold what is published already. */
    duplicates: Count,
    /** Files, names and listings that could not be used. */
    failed: Count,
    /** Windows of a product that the source went past without a file. */
    gaps: Count,
  })
  .meta({ id: "FeedCounts" });
export type FeedCounts = z.infer<typeof FeedCounts>;

/** As a feed begins; the caller's own, to count in. */
export function createFeedCounts(): { -readonly [Name in keyof FeedCounts]: number } {
  return {
    received: 0,
    published: 0,
    corrections: 0,
    completions: 0,
    backfills: 0,
    duplicates: 0,
    failed: 0,
    gaps: 0,
  };
}

export const FeedHealth = z
  .object({
    /** `noaa`, `bucket:https://host/…`, `folder:NAME`, `mirror:http://host`. */
    source: z.string(),
    /** Null for the source as a whole: a mirrored service of which no event is known yet. */
    eventId: EventId.nullable(),
    state: FeedState,
    lastCheckedAt: Instant.nullable(),
    lastReachedAt: Instant.nullable(),
    nextCheckAt: Instant.nullable(),
    /** A sentence while the link is down. */
    linkProblem: z.string().nullable(),
    /** Windows listed and not dealt with yet. */
    pendingWindows: Count,
    products: z.array(FeedProductHealth),
    counts: FeedCounts,
  })
  .meta({ id: "FeedHealth" });
export type FeedHealth = z.infer<typeof FeedHealth>;

export const FeedList = z.object({ feeds: z.array(FeedHealth) }).meta({ id: "FeedList" });
export type FeedList = z.infer<typeof FeedList>;
