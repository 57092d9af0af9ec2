// Reads the index of blobs for a verification: which bytes there should be, and what needs them.
import type { Database } from "../../../platform/postgres/database.ts";

export interface BlobFacts {
  /** SHA-256 of the bytes. */
  readonly name: string;
  readonly object_key: string;
  readonly byte_length: number;
  /** A revision that shows the bytes as a frame, such as "event a, sequence 3"; null if none does. */
  readonly shown_by: string | null;
  /** True if a revision was made from the bytes. */
  readonly is_source: boolean;
}

export interface StoredBlobs {
  count(): Promise<number>;
  /** Lists the blobs whose hash begins with some hexadecimal digits, ascending. */
  listBlobs(prefix: string): Promise<readonly BlobFacts[]>;
  findBlob(name: string): Promise<BlobFacts | undefined>;
  /** Returns those object keys that a blob has. */
  findKnown(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns those object keys that wait for their removal. */
  findCondemned(keys: readonly string[]): Promise<ReadonlySet<string>>;
}

const select = `
  SELECT name, object_key, byte_length,
      (SELECT 'event ' || event_id || ', sequence ' || sequence FROM revision_layers WHERE frame_id = name
        ORDER BY event_id, sequence LIMIT 1) AS shown_by,
      EXISTS (SELECT 1 FROM revision_layers WHERE source_sha256 = name) AS is_source
    FROM blobs`;

export function createStoredBlobs({ read, transact }: Database): StoredBlobs {
  const findKeys = async (table: string, keys: readonly string[]): Promise<ReadonlySet<string>> => {
    const sql = `SELECT object_key FROM ${table} WHERE object_key = ANY($1::text[])`;
    return new Set((await read<{ object_key: string }>(sql, [keys])).map(({ object_key }) => object_key));
  };
  return {
    count: async () => (await read<{ count: number }>("SELECT count(*) AS count FROM blobs"))[0]!.count,
    // "g" follows every hexadecimal digit. It may take longer than other reads.
    listBlobs: (prefix) =>
      transact("lazy", ({ query }) =>
        query<BlobFacts & object>(`${select} WHERE name >= $1 AND name < $2 ORDER BY name`, [
          prefix,
          `${prefix}g`,
        ]),
      ),
    findBlob: async (name) => (await read<BlobFacts & object>(`${select} WHERE name = $1`, [name]))[0],
    findKnown: (keys) => findKeys("blobs", keys),
    findCondemned: (keys) => findKeys("condemned_objects", keys),
  };
}
