// What stands around the entries of a pack (gitformat-pack): the header before them, the hash of everything behind.
import { createHash } from "node:crypto";

export const packHeaderBytes = 12;

/** The header, the entries as they are, and the 20 bytes of the hash as the last piece. */
export function framePack(entries: readonly Uint8Array[], count: number): readonly Uint8Array[] {
  const header = Buffer.alloc(packHeaderBytes);
  header.write("PACK", 0, "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(count, 8);
  const hash = createHash("sha1").update(header);
  for (const piece of entries) hash.update(piece);
  return [header, ...entries, hash.digest()];
}
