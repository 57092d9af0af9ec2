// Packet lines as they come from a service, in pieces of any size, and the three channels of side-band-64k in them: data, words
// for people, and a fatal error. No more than one packet is in memory.
import { AppError } from "../../../../shared/app-error.ts";
import { parsePkt, PktError, type Pkt } from "../../git/pkt-line.ts";
import { harmless, linkError, notGit } from "./remote-error.ts";

/** A packet's payload, or the mark that ends a list. */
export type Packet = Buffer | "flush";

/** @throws AppError `upstream-unavailable` for what is no packet line, or ends within one */
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
      else throw notGit("it speaks another version of the protocol");
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw linkError("cut-short", { detail: "amid a line" });
}

function parse(bytes: Buffer, offset: number): Pkt | undefined {
  try {
    return parsePkt(bytes, offset);
  } catch (error) {
    if (error instanceof PktError) throw notGit("a packet line of it has no length", error);
    throw error;
  }
}

/**
 * The data of a side-band stream up to its end.
 * @throws AppError `upstream-unavailable` with the service's own words for its fatal error
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
        throw notGit("a packet of it is of no channel");
    }
  }
  throw linkError("cut-short", { detail: "before its end" });
}

/** What a service says when it gives up. */
function fatal(words: string): AppError {
  const said = harmless(words);
  return new AppError(
    "upstream-unavailable",
    `The repository's service gave up${said === undefined ? "" : `: ${said}`}.`,
  );
}
