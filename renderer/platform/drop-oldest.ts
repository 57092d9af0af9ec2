// Bounds what is kept in the order of its arrival.

/** Deletes the entries added first until at most `most` are left. */
export function dropOldest(entries: Map<unknown, unknown>, most: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(key);
  }
}
