// Turns the bytes of a file into those of its message: a gzipped file is unpacked.
import { extraFieldLength, gunzip, gunzipPrefix, isGzip } from "./gunzip.ts";
import { MAX_MESSAGE_BYTES, readIndicator } from "./sections.ts";

/** Packed bytes that always hold section 0. */
const START_BYTES = 4096;
/** Unpacked bytes that may follow a short message, so that a second message is reported as such. */
const SPARE_BYTES = 1 << 16;

/**
 * Unpacks a gzipped file, to at most about twice the length that its message announces; returns others unchanged.
 * @throws Grib2Error
 */
export function toMessageBytes(file: Uint8Array): Uint8Array {
  if (!isGzip(file)) return file;
  const start = gunzipPrefix(file.subarray(0, extraFieldLength(file) + START_BYTES), START_BYTES);
  const { messageByteLength } = readIndicator(start);
  return gunzip(file, Math.min(2 * messageByteLength + SPARE_BYTES, MAX_MESSAGE_BYTES));
}
