// Interface of the source store: downloaded source files by their content, from which frames can be restored. The
// embedded implementation is a folder of files; a shared service may use an S3-compatible store. The catalog removes
// them with the revisions that were made from them.

export interface KeptSource {
  /** SHA-256 of the file, lower-case hex; `sourceSha256` of a layer. */
  readonly sha256: string;
  readonly byteLength: number;
}

export interface SourceStore {
  /**
   * Takes a finished download from a path in the staging folder, which is then free. The bytes survive a power cut once
   * the promise resolves. Each content is stored once; storing it again repairs damage, and the catalog's
   * `discardSources` removes useless ones. Throws `storage-failed`, and `source-invalid` if there is no file.
   */
  put(path: string): Promise<KeptSource>;
  /** Returns true if the content is stored; does not read it. */
  has(sha256: string): Promise<boolean>;
  /** Returns the bytes as downloaded; undefined if not stored. Throws `stored-data-invalid` for damaged bytes. */
  read(sha256: string): Promise<Uint8Array | undefined>;
}
