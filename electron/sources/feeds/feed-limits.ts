// Limits, budgets and waits of feeds, in one place. The settings that a user can change are in feed-config.ts.

/** 10 minutes: a file observed further ahead of the clock is refused. The catalog checks it again. */
export { futureToleranceMs } from "../../catalog/plans/event-rules.ts";

// Polling the source.
/** Most polls list only the last hour; every fifth lists everything that the feed keeps. */
export const recentMs = 3_600_000;
export const fullPollEvery = 5;
export const leastPauseMs = 1000;
/** First pause after a failure, as a share of the polling interval. It doubles up to the configured longest pause. */
export const firstBackoffShare = 1 / 8;
export const leastBackoffMs = 1000;
/** Share of the polling interval after which a feed polls again while older windows are left. */
export const catchUpShare = 1 / 8;
/** Share of the pair wait after which a feed polls again for a second product. */
export const pairPollShare = 1 / 4;
/** Polling intervals between two successful polls; more mean an outage. */
export const outagePolls = 2;
/** New windows at once; this many mean an outage. */
export const outageWindows = 3;
/** A window counts as missing once the source is this many windows further. */
export const gapGraceWindows = 3;

// Working on files.
/** Older windows per turn, so that new ones never wait for long. */
export const backfillWindows = 8;
export const downloadsAtOnce = 4;
/** Resumes of an interrupted download, per attempt. */
export const maxResumes = 4;
/** Attempts at one version of a file. */
export const maxFileAttempts = 6;

// Fetching a registered window.
export const fetchWindowsAtOnce = 8;
/** Attempts at a list and at a file. */
export const maxFetchAttempts = 4;
export const fetchRetryTiming = { pollMs: 8000, backoffMaxMs: 30_000 };

// The log.
/** Problems logged per listing, so that a folder of unknown files does not fill the log. */
export const maxListingProblems = 200;
/** Causes remembered to log each once. */
export const maxReportedCauses = 1000;
/** Entries that wait for a busy catalog; the oldest are dropped. */
export const maxWaitingEntries = 2000;

// Buckets.
/** Longest time for all pages of a day's list, and for one file. */
export const bucketDeadlineMs = 180_000;
/** Three times a page of 1,000 keys, the most that S3 returns. */
export const maxPageBytes = 4 << 20;
/** A product has 720 files a day; these limits stop an endless list. */
export const maxPages = 100;
export const maxListChars = 16 << 20;
export const maxKeys = 20_000;
/** Parsed pages kept for reuse: most polls find nothing new. */
export const cachedPages = 8;
export const maxCachedPageChars = 1 << 19;

// Watched folders.
/** Interval between two polls at most: the net below the system's notification. */
export const folderPollMs = 5000;
/** Least time from a look at a folder to the next, after a notification; and that time in durations of a look. */
export const noticePauseMs = 50;
export const noticePauseLooks = 4;
export const folderLooksAtOnce = 8;
/** Files in memory at once: each may be as large as a message may be. */
export const folderReadsAtOnce = 2;
/** Quiet time: a file that is not whole is used once it has not changed for this long. */
export const settleMs = 2000;
/** A file last modified this long ago needs no quiet time. */
export const longSettledMs = 60_000;
/** An incomplete file that has not changed for this long is used, and reported. */
export const incompleteMs = 10 * 60_000;
export const maxFolderDepth = 8;
