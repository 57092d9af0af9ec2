// What a page says of its canonical address, and what that means for the request that fetched it.

/** The canonical link counts when its tag ends within so many bytes of the uncompressed body. */
export const headBytes = 262_144;

export type CanonicalFinding =
  /** The `href` of the first canonical link that has one, character references decoded, otherwise as written. */
  | { readonly kind: "found"; readonly href: string }
  /** The head is over, or the bytes are. */
  | { readonly kind: "none" }
  /** As many bytes as count have been read, and the head was not over. */
  | { readonly kind: "beyond-limit" };

/** Takes the uncompressed body from its first byte, in pieces of any size. */
export interface CanonicalFinder {
  /** The finding as soon as it is known, and always that one from then on. */
  readonly write: (bytes: Uint8Array) => CanonicalFinding | undefined;
  /** The body is over. */
  readonly end: () => CanonicalFinding;
}

/** What is known of a page whose body may be compressed. */
export type HeadFinding =
  | CanonicalFinding
  /** The encoding is not one that is decoded here, or the bytes are not what it says. */
  | { readonly kind: "undecodable"; readonly cause: "unknown-encoding" | "broken" };

/** Takes a response's body as the origin sends it. Each call waits for the one before. */
export interface HeadReader {
  /** As {@link CanonicalFinder.write}; a promise where decoding takes its time. No body makes it throw. */
  readonly write: (bytes: Uint8Array) => HeadFinding | undefined | Promise<HeadFinding | undefined>;
  readonly end: () => HeadFinding | Promise<HeadFinding>;
  /** Lets go of what decoding holds, at any time. Done by itself once the finding is known. Idempotent. */
  readonly close: () => void;
}

export type CanonicalTarget =
  /** Absolute, one line, percent-encoded: good for a Location header. */
  | { readonly kind: "target"; readonly url: string }
  | { readonly kind: "self" }
  | { readonly kind: "cross-origin" }
  | { readonly kind: "invalid" };
