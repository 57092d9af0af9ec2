// Kept source files' interface: what feeds and fetches downloaded, by content, so that a frame can be made again. The catalog
// removes them with the revisions that were made of them.

export interface KeptSource {
  /** SHA-256 of the file's bytes, lower-case hex: what a layer's `sourceSha256` refers to. */
  readonly sha256: string;
  readonly byteLength: number;
  /** Absolute. */
  readonly path: string;
}

export interface SourceStore {
  /**
   * Keeps a finished download, of the same disk, under the SHA-256 of its bytes: the file moves, and survives a power cut
   * when the promise resolves. A file that is kept already is not kept twice. Throws `storage-failed`, and `source-invalid` where there is no
   * file. What turns out useless is given back by the catalog's `discardSources`.
   */
  put(path: string): Promise<KeptSource>;
  /** Where a kept file is; undefined when it is not kept. */
  find(sha256: string): Promise<string | undefined>;
}
