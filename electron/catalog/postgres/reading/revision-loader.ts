// Loads revisions by their row ids. They never change, so they are cached for good.
import { createBoundedCache } from "../../../platform/caches/bounded-cache.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import type { RevisionRecord } from "../../catalog.ts";
import { toRevisionRecord, type RevisionRow } from "../../rows/catalog-rows.ts";
import { revisionColumns } from "../service-columns.ts";

const cacheBytes = 32 << 20;
/** Approximate memory of a record without its manifest. */
const recordBytes = 1024;

/** The hash tells apart what a repair has replaced. */
export type RevisionPointer = Pick<RevisionRow, "id" | "manifest_sha256">;

/** Returns a function that loads revisions, in the same order. A revision that was just removed is undefined. */
export function createRevisionLoader(
  database: Database,
): (pointers: readonly RevisionPointer[]) => Promise<readonly (RevisionRecord | undefined)[]> {
  const cache = createBoundedCache<RevisionRecord>(cacheBytes);
  const keyOf = ({ id, manifest_sha256 }: RevisionPointer): string => `${id} ${manifest_sha256}`;
  return async (pointers) => {
    const found = new Map(pointers.map((pointer) => [pointer.id, cache.get(keyOf(pointer))]));
    const missing = pointers.filter(({ id }) => found.get(id) === undefined).map(({ id }) => id);
    if (missing.length > 0) {
      const sql = `SELECT ${revisionColumns} FROM revisions WHERE id = ANY($1::bigint[])`;
      for (const row of await database.read<RevisionRow>(sql, [missing])) {
        // Another call may have loaded it meanwhile; callers compare records by identity.
        const record = cache.get(keyOf(row)) ?? toRevisionRecord(row);
        cache.set(keyOf(row), record, recordBytes + row.manifest.byteLength);
        found.set(row.id, record);
      }
    }
    return pointers.map(({ id }) => found.get(id));
  };
}
