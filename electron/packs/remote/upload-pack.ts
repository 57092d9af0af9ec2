// One question to `git-upload-pack`: these objects, given that those are here. The pack of the answer comes as pieces.
import { objectIdPattern, toPieces, type Advertisement } from "./advertisement.ts";
import type { RemoteHttp } from "./http-client.ts";
import { flushPacket, readPackets, toPacket, type Packet } from "./pkt-line.ts";
import { notGit } from "./remote-error.ts";
import { fatal, readSideBand } from "./side-band.ts";

export interface PackQuestion {
  /** At least one. */
  readonly wants: readonly string[];
  /** Commits that are here with everything that they need. */
  readonly haves: readonly string[];
}

const wantedCapabilities = ["side-band-64k", "ofs-delta"];

/** The pack that has what is wanted and not here. Throws AppError. */
export async function* requestPack(
  http: RemoteHttp,
  url: string,
  { wants, haves }: PackQuestion,
  { capabilities }: Advertisement,
): AsyncGenerator<Buffer, void, undefined> {
  if (!capabilities.has("side-band-64k")) throw notGit("it has no side-band-64k");
  const said = wantedCapabilities.filter((name) => capabilities.has(name)).join(" ");
  const { body } = await http.request({
    url: `${url}/git-upload-pack`,
    method: "POST",
    headers: {
      "content-type": "application/x-git-upload-pack-request",
      accept: "application/x-git-upload-pack-result",
    },
    body: piecesOf([
      ...wants.map((id, index) => toPacket(index === 0 ? `want ${id} ${said}\n` : `want ${id}\n`)),
      flushPacket,
      ...haves.map((id) => toPacket(`have ${id}\n`)),
      toPacket("done\n"),
    ]),
  });
  yield* readSideBand(skipAcknowledgements(readPackets(toPieces(body))));
}

/** `NAK`, or an `ACK` or more of what both have: a service says it once or for each. */
async function* skipAcknowledgements(
  packets: AsyncIterable<Packet>,
): AsyncGenerator<Packet, void, undefined> {
  let isAnswered = false;
  let isBegun = false;
  for await (const packet of packets) {
    const line = isBegun || packet === "flush" ? "" : packet.toString("latin1", 0, 200).trimEnd();
    if (line.startsWith("ERR ")) throw fatal(line.slice(4));
    if (line === "NAK" || (line.startsWith("ACK ") && objectIdPattern.test(line.slice(4)))) {
      isAnswered = true;
      continue;
    }
    if (!isAnswered) throw notGit("its answer does not begin as one");
    isBegun = true;
    yield packet;
  }
}

/** A request's body in the plugin's form. */
export async function* piecesOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
  // The form is asynchronous, what is here is not.
  await Promise.resolve();
  yield* pieces;
}
