// Takes a WOFF 1.0 file (W3C Recommendation, 13 December 2012) apart into the tables of its font. Build time, trusted files.
import { inflateSync } from "node:zlib";

const headerBytes = 44;
const entryBytes = 20;

/** Tables by tag, inflated. Throws for a file of another kind. */
export function readWoffTables(file: Uint8Array): ReadonlyMap<string, DataView> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (tagAt(view, 0) !== "wOFF") throw new Error("The font is no WOFF file.");
  const tables = new Map<string, DataView>();
  for (let index = 0; index < view.getUint16(12); index++) {
    const at = headerBytes + index * entryBytes;
    const offset = view.getUint32(at + 4);
    const storedLength = view.getUint32(at + 8);
    const length = view.getUint32(at + 12);
    const stored = file.subarray(offset, offset + storedLength);
    const bytes = storedLength < length ? inflateSync(stored) : stored;
    tables.set(tagAt(view, at), new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }
  return tables;
}

function tagAt(view: DataView, offset: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(offset + index)));
}
