// The three channels of Git's side-band-64k: data, words for people, and a fatal error.
import { AppError } from "../../../shared/app-error.ts";
import type { Packet } from "./pkt-line.ts";
import { harmless, linkError, notGit } from "./remote-error.ts";

/**
 * The data of a side-band stream up to its end. Words for people are dropped.
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

/** What a service says when it gives up, in `ERR` or on the third channel. */
export function fatal(words: string): AppError {
  const said = harmless(words);
  return new AppError(
    "upstream-unavailable",
    `The repository's service gave up${said === undefined ? "" : `: ${said}`}.`,
  );
}
