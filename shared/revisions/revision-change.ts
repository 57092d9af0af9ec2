// What a revision did to its event at the moment it was published, as publication itself knows it.

/**
 * - `first`: a window newer than all before it, published for the first time.
 * - `correction`: a layer of a published window was replaced.
 * - `completion`: the other product of a published window arrived.
 * - `backfill`: a window published for the first time, after newer ones.
 */
export const revisionChanges = ["first", "correction", "completion", "backfill"] as const;
export type RevisionChange = (typeof revisionChanges)[number];
