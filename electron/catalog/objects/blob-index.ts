// Interface of the index of blobs: where the bytes with a hash are in the object store. The database of the catalog
// implements it, so that its foreign keys protect the blobs of published revisions.

export interface StoredBlob {
  readonly objectKey: string;
  readonly byteLength: number;
}

export interface BlobIndex {
  /** Returns where the bytes with this SHA-256 are; undefined if they are not stored. */
  find(sha256: string): Promise<StoredBlob | undefined>;
  /** Returns the object keys of those hashes that are stored. `sha256s` has at most 1,000 hashes. */
  findAll(sha256s: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Records an uploaded object. Returns false if the hash has a key already: another upload was first. */
  add(sha256: string, objectKey: string, byteLength: number): Promise<boolean>;
  /**
   * Replaces the key of lost or damaged bytes, and condemns the old one. Returns false if `oldKey` is not the key any
   * more.
   */
  replace(sha256: string, oldKey: string, newKey: string): Promise<boolean>;
  /** Returns keys of objects to delete, because their rows are gone. They stay condemned until `forgetCondemned`. */
  takeCondemned(limit: number): Promise<readonly string[]>;
  /** Forgets condemned keys whose objects have been deleted. */
  forgetCondemned(keys: readonly string[]): Promise<void>;
}
