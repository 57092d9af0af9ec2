// Git's packet lines (gitprotocol-common, "pkt-line format"), read from pieces of any size and written. Nothing of them is in
// memory beyond one line.
import { linkError, notGit } from "./remote-error.ts";

/** A line with its payload, or one of the two marks without payload that a service of version 0 and 1 sends. */
export type Packet = Buffer | "flush";

/** A line is at most 65520 bytes long with its four digits. */
const longestLine = 65_520;

/** @throws AppError `upstream-unavailable` for what is no packet line, or ends within one */
export async function* readPackets(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Packet, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    rest = rest.length === 0 ? asBuffer(piece) : Buffer.concat([rest, piece]);
    let at = 0;
    while (rest.length - at >= 4) {
      const length = parseLength(rest.subarray(at, at + 4));
      if (length === 0) {
        at += 4;
        yield "flush";
        continue;
      }
      if (rest.length - at < length) break;
      yield rest.subarray(at + 4, at + length);
      at += length;
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw linkError("cut-short", { detail: "amid a line" });
}

export function toPacket(payload: string | Uint8Array): Buffer {
  const bytes = Buffer.from(payload);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0"), "latin1"), bytes]);
}

export const flushPacket: Buffer = Buffer.from("0000", "latin1");

function parseLength(digits: Buffer): number {
  const text = digits.toString("latin1");
  const length = /^[0-9a-fA-F]{4}$/.test(text) ? Number.parseInt(text, 16) : Number.NaN;
  if (length === 0 || (length >= 4 && length <= longestLine)) return length;
  throw notGit("a packet line of it has no length");
}

function asBuffer(piece: Uint8Array): Buffer {
  return Buffer.isBuffer(piece) ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
}
