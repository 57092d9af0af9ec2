// Compression that the platform provides: node:zlib, or the page's own streams.

/** Returns a zlib stream (RFC 1950) of the bytes. */
export type Deflate = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;
