// Checks if a file that may still be written holds a whole GRIB2 message.
import { readFile } from "node:fs/promises";
import { isGrib2Error } from "../../pipeline/grib2/grib2-error.ts";
import { gunzip, isGzip } from "../../pipeline/grib2/gunzip.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";

/** `partial`: more bytes may come. `strange`: not GRIB2, or damaged; drawing it reports why. */
export type Wholeness = "whole" | "partial" | "strange";

/** Octets 1 to 4 of section 0, and 9 to 16: the length of the whole message (FM 92 GRIB edition 2). */
const start = Buffer.from("GRIB", "latin1");
const lengthAt = 8;
const indicatorBytes = 16;
const end = Buffer.from("7777", "latin1");

/** @throws errors of the disk */
export async function findWholeness(path: string): Promise<Wholeness> {
  return wholenessOf(await readFile(path));
}

export function wholenessOf(file: Uint8Array): Wholeness {
  // Too short to tell gzip by its two magic bytes.
  if (file.length < 2) return "partial";
  if (!isGzip(file)) return wholenessOfMessage(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  try {
    const message = gunzip(file);
    return wholenessOfMessage(Buffer.from(message.buffer, message.byteOffset, message.byteLength));
  } catch (error) {
    if (!isGrib2Error(error)) throw error;
    return systemCode(error.cause) === "Z_BUF_ERROR" ? "partial" : "strange";
  }
}

function wholenessOfMessage(bytes: Buffer): Wholeness {
  if (!start.subarray(0, bytes.length).equals(bytes.subarray(0, start.length))) return "strange";
  if (bytes.length < indicatorBytes) return "partial";
  const said = bytes.readBigUInt64BE(lengthAt);
  if (BigInt(bytes.length) < said) return "partial";
  return bytes.subarray(-end.length).equals(end) ? "whole" : "strange";
}
