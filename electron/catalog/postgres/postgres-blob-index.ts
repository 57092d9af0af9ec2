// Index of the blobs in the object store, in the database of the catalog.
import { CommitUnknownError } from "../../platform/postgres/database-error.ts";
import type { Database, Session } from "../../platform/postgres/database.ts";
import type { BlobIndex } from "../objects/blob-index.ts";

const mostAttempts = 3;

interface BlobRow {
  readonly name: string;
  readonly object_key: string;
  readonly byte_length: number;
}

export function createPostgresBlobIndex({ read, transact }: Database): BlobIndex {
  const find: BlobIndex["find"] = async (sha256) => {
    const sql = "SELECT object_key, byte_length FROM blobs WHERE name = $1";
    const [row] = await read<BlobRow>(sql, [sha256]);
    return row && { objectKey: row.object_key, byteLength: row.byte_length };
  };
  /** Runs a change that leaves `newKey` in place if it succeeds; again, if nobody knows whether it did. */
  const change = async (
    { sha256, newKey }: { readonly sha256: string; readonly newKey: string },
    body: (query: Session["query"]) => Promise<boolean>,
  ): Promise<boolean> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await transact("durable", ({ query }) => body(query));
      } catch (error) {
        if (!(error instanceof CommitUnknownError) || attempt === mostAttempts) throw error;
      }
      if ((await find(sha256))?.objectKey === newKey) return true;
    }
  };
  return {
    find,
    findAll: async (sha256s) => {
      const rows = await read<BlobRow>("SELECT name, object_key FROM blobs WHERE name = ANY($1::text[])", [
        sha256s,
      ]);
      return new Map(rows.map(({ name, object_key }) => [name, object_key]));
    },
    add: (sha256, objectKey, byteLength) =>
      change({ sha256, newKey: objectKey }, async (query) => {
        const sql = "INSERT INTO blobs VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING RETURNING 1";
        return (await query(sql, [sha256, objectKey, byteLength])).length > 0;
      }),
    replace: (sha256, oldKey, newKey) =>
      change({ sha256, newKey }, async (query) => {
        const sql = "UPDATE blobs SET object_key = $3 WHERE name = $1 AND object_key = $2 RETURNING 1";
        const isReplaced = (await query(sql, [sha256, oldKey, newKey])).length > 0;
        if (isReplaced)
          await query("INSERT INTO condemned_objects VALUES ($1) ON CONFLICT DO NOTHING", [oldKey]);
        return isReplaced;
      }),
    takeCondemned: async (limit) => {
      const sql = "SELECT object_key FROM condemned_objects ORDER BY object_key LIMIT $1";
      return (await read<BlobRow>(sql, [limit])).map(({ object_key }) => object_key);
    },
    forgetCondemned: async (keys) => {
      await transact("durable", ({ query }) =>
        query("DELETE FROM condemned_objects WHERE object_key = ANY($1::text[])", [keys]),
      );
    },
  };
}
