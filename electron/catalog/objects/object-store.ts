// Interface of the object store: bytes under keys that are never reused. A folder or an S3-compatible server is behind
// it. Keys have at most 512 characters: segments of letters, digits, dots and hyphens, separated by slashes.

export interface ObjectFacts {
  readonly key: string;
  readonly byteLength: number;
  /** Time of the upload on the store's clock, ISO 8601 in UTC. */
  readonly modifiedAt: string;
}

export interface GetOptions {
  /** Length of the bytes that are expected. A longer answer is cut one byte beyond it, which no hash matches. */
  readonly byteLimit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Methods throw AppError `storage-failed`, or `storage-unavailable` for trouble that may pass. */
export interface ObjectStore {
  /**
   * Stores bytes under a key that was never used. They survive a power cut once the promise resolves. A failure may
   * leave the object or not.
   */
  put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  /**
   * Returns the bytes under a key; undefined if there are none. They are as the store holds them: the caller checks
   * their hash.
   */
  get(key: string, options?: GetOptions): Promise<Uint8Array | undefined>;
  /** Removes objects; ignores missing ones. A failure may remove some. */
  remove(keys: readonly string[]): Promise<void>;
  /** Lists the objects whose key begins with the prefix, in no certain order. */
  list(prefix: string): AsyncIterable<ObjectFacts>;
  /** Makes the store ready for its first object. Throws as `check` does. */
  prepare(): Promise<void>;
  /** Verifies that the store exists and can be used. Throws an AppError whose sentence says what to do. */
  check(): Promise<void>;
  close(): Promise<void>;
}
