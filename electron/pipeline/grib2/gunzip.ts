// Unpacks gzipped GRIB2 files: a whole file within a size limit, or only its first bytes.
import { constants, gunzipSync } from "node:zlib";
import { messageOf } from "../../../shared/app-error.ts";
import { MAX_INFLATION } from "../../../shared/png/header.ts";
import { startsWith } from "./file-kind.ts";
import { Grib2Error } from "./grib2-error.ts";
import { MAX_MESSAGE_BYTES } from "./sections.ts";

const GZIP_MAGIC = [0x1f, 0x8b] as const;
const LEAST_CHUNK = 1 << 16;
/** The bit of the flags (byte 3) that announces an extra field (RFC 1952, section 2.3.1). */
const EXTRA_FLAG = 4;

export function isGzip(bytes: Uint8Array): boolean {
  return startsWith(bytes, GZIP_MAGIC);
}

/**
 * Unpacks a whole gzip file of one or several members. Only zeros may follow the last member.
 * @throws Grib2Error if it is damaged or cut short, has extra bytes, or unpacks to more than `maxBytes`
 */
export function gunzip(bytes: Uint8Array, maxBytes: number = MAX_MESSAGE_BYTES): Uint8Array {
  // The last four bytes hold the unpacked length. It may be wrong, so it sets only the size of the first buffer.
  const said =
    bytes.length < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4).getUint32(0, true);
  const chunkSize = Math.max(LEAST_CHUNK, Math.min(said + 64, maxBytes, bytes.length * MAX_INFLATION));
  let unpacked: Unpacked;
  try {
    unpacked = gunzipSync(bytes, { maxOutputLength: maxBytes, chunkSize, info: true }) as unknown as Unpacked;
  } catch (cause) {
    throw toGrib2Error(cause, bytes.length, maxBytes);
  }
  requirePadding(bytes, unpacked.engine.bytesWritten);
  return unpacked.buffer;
}

/** The result of zlib with `info`, which its types omit. */
interface Unpacked {
  readonly buffer: Buffer;
  /** `bytesWritten` counts the input. */
  readonly engine: { readonly bytesWritten: number };
}

/** Checks the bytes after the last member: zlib ignores all that follow a zero. */
function requirePadding(bytes: Uint8Array, from: number): void {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] !== 0) throw new Grib2Error("bytes follow the end of the gzip file and its padding", at);
  }
}

/** Returns the bytes of the extra field of a gzip file, up to 64 KiB before its data; 0 without one. */
export function extraFieldLength(prefix: Uint8Array): number {
  if (!isGzip(prefix) || prefix.length < 12 || (prefix[3]! & EXTRA_FLAG) === 0) return 0;
  return 2 + prefix[10]! + (prefix[11]! << 8);
}

/**
 * Unpacks the first bytes of a gzip file to at most `maxBytes`.
 * @throws Grib2Error if they are damaged, or hold no data
 */
export function gunzipPrefix(prefix: Uint8Array, maxBytes: number): Uint8Array {
  let unpacked: Uint8Array;
  try {
    const room = prefix.length * MAX_INFLATION + LEAST_CHUNK;
    unpacked = gunzipSync(prefix, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: room });
  } catch (cause) {
    throw toGrib2Error(cause, prefix.length, maxBytes);
  }
  if (unpacked.length > 0) return unpacked.subarray(0, maxBytes);
  throw new Grib2Error(`the first ${prefix.length} bytes of the gzip file hold no data`, prefix.length);
}

function toGrib2Error(cause: unknown, byteLength: number, maxBytes: number): Grib2Error {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const text =
    code === "ERR_BUFFER_TOO_LARGE"
      ? `the gzip file unpacks to more than ${maxBytes} bytes`
      : code === "Z_BUF_ERROR"
        ? "the gzip file is incomplete"
        : `the gzip file is damaged: ${messageOf(cause)}`;
  return new Grib2Error(text, byteLength, undefined, cause);
}
