// Reads packet lines from a service in pieces of any size, and the three channels of side-band-64k: data, text for
// people, and a fatal error. At most one packet is in memory.
import { AppError } from "../../../../shared/app-error.ts";
import { parsePkt, PktError, type Pkt } from "../../git/pkt-line.ts";
import { harmless, linkError, notGit } from "./remote-error.ts";

/** A packet's payload, or the marker that ends a list. */
export type Packet = Buffer | "flush";

/** @throws AppError `upstream-unavailable` for bytes that are not packet lines, or end within one */
export async function* readPackets(
  pieces: AsyncIterable<Uint8Array> | undefined,
): AsyncGenerator<Packet, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces ?? []) {
    rest = Buffer.concat([rest, piece]);
    let at = 0;
    for (let packet = parse(rest, at); packet; packet = parse(rest, at)) {
      at = packet.end;
      if (packet.kind === "data") yield packet.payload;
      else if (packet.kind === "flush") yield "flush";
      else throw notGit("it uses another version of the protocol");
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw linkError("cut-short", { detail: "in the middle of a line" });
}

function parse(bytes: Buffer, offset: number): Pkt | undefined {
  try {
    return parsePkt(bytes, offset);
  } catch (error) {
    if (error instanceof PktError) throw notGit("one of its packet lines has no length", error);
    throw error;
  }
}

/**
 * Yields the data channel.
 * @throws AppError `upstream-unavailable` with the service's own words for a fatal error
 */
export async function* readSideBand(packets: AsyncIterable<Packet>): AsyncGenerator<Buffer, void, undefined> {
  for await (const packet of packets) {
    if (packet === "flush") return;
    switch (packet[0]) {
      case 1:
        yield packet.subarray(1);
        break;
      case 2:
        break;
      case 3:
        throw fatal(packet.subarray(1).toString("utf8"));
      default:
        throw notGit("one of its packets has no valid channel");
    }
  }
  throw linkError("cut-short", { detail: "before its end" });
}

function fatal(words: string): AppError {
  const said = harmless(words);
  return new AppError(
    "upstream-unavailable",
    `The repository's service failed${said === undefined ? "" : `: ${said}`}.`,
  );
}
