// Git's packet lines (gitprotocol-common): four hex digits of length, including themselves, then the payload; lengths 0
// to 2 are markers without payload. Side bands (gitprotocol-capabilities) put a stream number before the payload.

/** The largest packet that Git sends or accepts, including its length. */
export const maxPktBytes = 65_520;
/** The most payload of one packet of `side-band-64k`. */
const maxBandBytes = 65_515;

export const flushPkt: Buffer = Buffer.from("0000");

export type Pkt =
  | { readonly kind: "data"; readonly payload: Buffer; readonly end: number }
  | { readonly kind: "flush" | "delimiter" | "response end"; readonly end: number };

/** Bytes that are not packet lines. */
export class PktError extends Error {
  override readonly name = "PktError";
}

/**
 * Returns the packet at `offset`, or undefined if more bytes are needed. `payload` is a view; `end` is where the next
 * begins.
 * @throws PktError if the length is not valid
 */
export function parsePkt(bytes: Buffer, offset: number): Pkt | undefined {
  const length = parsePktLength(bytes, offset);
  if (length === undefined) return undefined;
  if (length === 0) return { kind: "flush", end: offset + 4 };
  if (length === 1) return { kind: "delimiter", end: offset + 4 };
  if (length === 2) return { kind: "response end", end: offset + 4 };
  if (bytes.length - offset < length) return undefined;
  return { kind: "data", payload: bytes.subarray(offset + 4, offset + length), end: offset + length };
}

/**
 * Returns the length of the packet at `offset`, 0 to 2 for a marker; undefined if more bytes are needed.
 * @throws PktError if the length is not valid
 */
export function parsePktLength(bytes: Buffer, offset: number): number | undefined {
  if (bytes.length - offset < 4) return undefined;
  const digits = bytes.toString("latin1", offset, offset + 4);
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new PktError("A packet does not begin with its length.");
  const length = Number.parseInt(digits, 16);
  if (length === 3 || length > maxPktBytes) throw new PktError(`A packet cannot be ${length} bytes long.`);
  return length;
}

/** @throws RangeError if the payload does not fit into one packet */
export function formatPkt(payload: string | Buffer): Buffer {
  const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
  const length = bytes.length + 4;
  if (length > maxPktBytes) throw new RangeError(`A packet of ${length} bytes is too long.`);
  return Buffer.concat([Buffer.from(length.toString(16).padStart(4, "0")), bytes]);
}

/** Splits `bytes` into packets of a side band: 1 carries data, 2 text for a person, 3 the reason of a failure. */
export function formatBand(band: 1 | 2 | 3, bytes: Buffer): Buffer {
  const packets: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += maxBandBytes) {
    packets.push(formatPkt(Buffer.concat([Buffer.from([band]), bytes.subarray(from, from + maxBandBytes)])));
  }
  return Buffer.concat(packets);
}
