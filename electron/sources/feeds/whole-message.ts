// Checks if a file that may still be written is whole: gzip members that end properly, and GRIB2 messages of which each
// ends with "7777" at its declared length.
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

export function wholenessOf(file: Uint8Array): Wholeness {
  // Too short to tell gzip by its two magic bytes.
  if (file.length < 2) return "partial";
  if (!isGzip(file)) return wholenessOfMessages(toBuffer(file));
  try {
    return wholenessOfMessages(toBuffer(gunzip(file)));
  } catch (error) {
    if (!isGrib2Error(error)) throw error;
    return systemCode(error.cause) === "Z_BUF_ERROR" ? "partial" : "strange";
  }
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function wholenessOfMessages(bytes: Buffer): Wholeness {
  if (bytes.length === 0) return "partial";
  for (let from = 0; from < bytes.length;) {
    const message = bytes.subarray(from);
    if (!start.subarray(0, message.length).equals(message.subarray(0, start.length))) return "strange";
    if (message.length < indicatorBytes) return "partial";
    const said = message.readBigUInt64BE(lengthAt);
    if (said < indicatorBytes + end.length) return "strange";
    if (message.length < said) return "partial";
    from += Number(said);
    if (!bytes.subarray(from - end.length, from).equals(end)) return "strange";
  }
  return "whole";
}
