// Interface of the two sides of a copy: rows as they are stored, and the bytes that belong to them.
import type { BlobKind } from "../objects/object-keys.ts";
import type { RowWriter, StoredRows } from "../rows/stored-rows.ts";

export interface CopySource {
  readonly rows: StoredRows;
  /** Returns bytes by their SHA-256; undefined if not stored. Throws `stored-data-invalid` for damaged ones. */
  read(kind: BlobKind, sha256: string): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

export interface CopyTarget extends CopySource {
  readonly writer: RowWriter;
  /** Returns those hashes, of at most 1,000, whose bytes are stored. Reads no bytes. */
  findStored(kind: BlobKind, sha256s: readonly string[]): Promise<ReadonlySet<string>>;
  /** Stores bytes; they survive a power cut once the promise resolves. */
  put(kind: BlobKind, bytes: Uint8Array): Promise<void>;
}
