// Gzip around GRIB2 files: whole files with a bound on what comes out, and the first bytes of a file for its header.
import { constants, gunzipSync } from "node:zlib";
import { startsWith } from "./file-kind.ts";
import { Grib2Error } from "./grib2-error.ts";
import { MAX_MESSAGE_BYTES } from "./sections.ts";

const GZIP_MAGIC = [0x1f, 0x8b] as const;
/** Deflate cannot make more bytes than this out of one (zlib's technical details). */
const MAX_INFLATION = 1032;
const LEAST_CHUNK = 1 << 16;

export function isGzip(bytes: Uint8Array): boolean {
  return startsWith(bytes, GZIP_MAGIC);
}

/**
 * Unpacks a whole gzip file, of one member or several; zeros after the last one are padding, and nothing may follow them.
 * @throws Grib2Error when it is damaged, cut short, has bytes left over, or more than `maxBytes` come out
 */
export function gunzip(bytes: Uint8Array, maxBytes: number = MAX_MESSAGE_BYTES): Uint8Array {
  // Its last four bytes say how much comes out. That may be a lie, so it only sets the size of the first buffer.
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

/** What zlib gives with `info`, which its types leave out. */
interface Unpacked {
  readonly buffer: Buffer;
  /** Here "written" is what was taken in. */
  readonly engine: { readonly bytesWritten: number };
}

/** zlib stops at the first zero after a member and looks no further. */
function requirePadding(bytes: Uint8Array, from: number): void {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] !== 0) throw new Grib2Error("bytes follow the end of the gzip file and its padding", at);
  }
}

/**
 * Unpacks what the first bytes of a gzip file hold, at most `maxBytes` of it.
 * @throws Grib2Error when they are damaged
 */
export function gunzipPrefix(prefix: Uint8Array, maxBytes: number): Uint8Array {
  try {
    const room = prefix.length * MAX_INFLATION + LEAST_CHUNK;
    return gunzipSync(prefix, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: room }).subarray(
      0,
      maxBytes,
    );
  } catch (cause) {
    throw toGrib2Error(cause, prefix.length, maxBytes);
  }
}

function toGrib2Error(cause: unknown, byteLength: number, maxBytes: number): Grib2Error {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "ERR_BUFFER_TOO_LARGE") {
    return new Grib2Error(`the gzip file unpacks to more than ${maxBytes} bytes`, byteLength, undefined, {
      cause,
    });
  }
  if (code === "Z_BUF_ERROR") {
    return new Grib2Error("the gzip file is cut short", byteLength, undefined, { cause });
  }
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new Grib2Error(`the gzip file is damaged: ${detail}`, byteLength, undefined, { cause });
}
