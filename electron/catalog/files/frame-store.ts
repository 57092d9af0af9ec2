// The frame store's interface: immutable PNG bytes by content. The embedded implementation is a folder of files; a
// shared service may put an S3-compatible store behind the same functions.

export interface FrameStore {
  /**
   * Stores PNG bytes durably under their SHA-256 (lower-case hex, which is also the returned `frameId`); when the promise
   * resolves, the bytes survive a power cut. Storing the same bytes again changes nothing. Throws `storage-failed`.
   */
  put(png: Uint8Array): Promise<string>;
  /**
   * The bytes of a frame, or undefined when there is no such frame. Throws `stored-data-invalid` when the stored bytes
   * do not match `frameId`. The caller must not change the array: it may be shared.
   */
  read(frameId: string): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}
