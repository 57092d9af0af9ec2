// Interface of the frame store: immutable PNG bytes, addressed by their hash. The embedded implementation is a folder
// of files; a shared service may use an S3-compatible store.

export interface FrameCacheUse {
  readonly hits: number;
  readonly misses: number;
  readonly byteLength: number;
}

export interface FrameStore {
  /**
   * Stores PNG bytes under their SHA-256, which it returns as `frameId` (lower-case hex). The bytes survive a power cut
   * once the promise resolves. Storing the same bytes again changes nothing. Throws `storage-failed`.
   */
  put(png: Uint8Array): Promise<string>;
  /**
   * Returns the bytes of a frame; undefined if it does not exist. Throws `stored-data-invalid` if the stored bytes do
   * not match `frameId`. The array may be shared: the caller must not change it.
   */
  read(frameId: string): Promise<Uint8Array | undefined>;
  /** Use of the cache since the store was opened; absent if it has none. */
  cacheUse?(): FrameCacheUse;
  close(): Promise<void>;
}
