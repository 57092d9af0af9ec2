// Names the kind of a file that is not GRIB2: downloads under a .grib2 name may be error pages, pointers or other
// formats.

interface Kind {
  /** Completes the sentence "it is …". */
  readonly words: string;
  readonly starts: readonly (string | readonly number[])[];
}

const KINDS: readonly Kind[] = [
  { words: "a Git-LFS pointer, not the file itself", starts: ["version https://git-lfs.github.com/spec/"] },
  { words: "compressed with gzip", starts: [[0x1f, 0x8b]] },
  { words: "compressed with bzip2", starts: ["BZh"] },
  { words: "a ZIP archive", starts: [[0x50, 0x4b, 0x03, 0x04]] },
  { words: "a PNG picture", starts: [[0x89, 0x50, 0x4e, 0x47]] },
  { words: "a netCDF file", starts: ["CDF\x01", "CDF\x02", "CDF\x05", [0x89, 0x48, 0x44, 0x46]] },
  { words: "an HTML page", starts: ["<!doctype html", "<html", "<head"] },
  { words: "an XML document", starts: ["<?xml", "<error", "<listbucketresult"] },
  { words: "JSON text", starts: ["{", "["] },
];

const PROBE_BYTES = 64;

/** Names the kind of the bytes; completes the sentence "it is …". */
export function describeKind(bytes: Uint8Array): string {
  if (bytes.length === 0) return "empty";
  const text = toLatin1(bytes.subarray(0, PROBE_BYTES))
    .replace(/^\u00ef\u00bb\u00bf/, "")
    .trimStart()
    .toLowerCase();
  for (const { words, starts } of KINDS) {
    if (
      starts.some((start) =>
        typeof start === "string" ? text.startsWith(start.toLowerCase()) : startsWith(bytes, start),
      )
    ) {
      return words;
    }
  }
  return /^[\t\n\r -~]+$/.test(text) ? "some other text" : "something else";
}

export function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}

function toLatin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
