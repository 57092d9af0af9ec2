// Interface of the source store: downloaded source files, addressed by their hash, from which frames can be restored. The
// catalog removes them with the revisions that were made from them.

export interface KeptSource {
  /** SHA-256 of the file, lower-case hex; `sourceSha256` of a layer. */
  readonly sha256: string;
  readonly byteLength: number;
  /** Absolute path. */
  readonly path: string;
}

export interface SourceStore {
  /**
   * Moves a finished download, on the same disk, into the store. It survives a power cut once the promise resolves. Each
   * content is stored once; the catalog's `discardSources` removes useless ones. Throws `storage-failed`, and
   * `source-invalid` if there is no file.
   */
  put(path: string): Promise<KeptSource>;
  /** Returns the path of a stored file; undefined if there is none. */
  find(sha256: string): Promise<string | undefined>;
}
