// Limits of an ingest: memory of the render workers, and files in progress.

/**
 * The most memory of files that are drawn at once, estimated from their headers. Eighteen files of the CONUS grid fit.
 * A file that needs more is drawn alone.
 */
export const workBudgetBytes = 512 << 20;

/** The most later files that go ahead of one that does not fit into memory. */
export const mostTimesPassed = 16;

/**
 * Limits of a worker's heap; decoded fields live outside it. A small young generation collects the buffers of zlib
 * early: two workers then need a quarter less memory in all, and no more time.
 */
export const heapLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 3 };

/** The most headers that are read at once. */
export const peekLimit = 8;
