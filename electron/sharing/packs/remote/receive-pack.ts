// One request to `git-receive-pack` (gitprotocol-pack, "Pushing Data"): several references together with the pack that they
// need, and the report of what became of them. isomorphic-git's own push moves one reference a request; 720 tags would be 720
// requests, each with a process of Git on the other side.
import { AppError } from "../../../../shared/app-error.ts";
import { flushPkt, formatPkt } from "../../git/pkt-line.ts";
import type { RemoteHttp } from "./http-client.ts";
import { readPackets, readSideBand, type Packet } from "./packets.ts";
import { harmless, notGit } from "./remote-error.ts";

export interface RefCommand {
  readonly ref: string;
  /** Undefined for a reference that is not there. */
  readonly oldOid: string | undefined;
  readonly newOid: string;
}

export interface PushRequest {
  readonly commands: readonly [RefCommand, ...RefCommand[]];
  /** May be a pack of no object. */
  readonly pack: Uint8Array;
  /** Of the service. */
  readonly capabilities: ReadonlySet<string>;
}

const noOid = "0".repeat(40);

/** @throws AppError `conflict` with the service's own words where it refuses; as the client does */
export async function requestPush(
  http: RemoteHttp,
  url: string,
  { commands, pack, capabilities }: PushRequest,
): Promise<void> {
  if (!capabilities.has("report-status")) throw notGit("it does not report what became of a push");
  const isBanded = capabilities.has("side-band-64k");
  // Where it can be so, all references move or none.
  const said = ["report-status", "side-band-64k", "atomic"]
    .filter((name) => capabilities.has(name))
    .join(" ");
  const lines = commands.map(({ ref, oldOid, newOid }, index) =>
    formatPkt(`${oldOid ?? noOid} ${newOid} ${ref}${index === 0 ? `\0 ${said}` : ""}`),
  );
  const { body } = await http.request({
    url: `${url}/git-receive-pack`,
    method: "POST",
    headers: {
      "content-type": "application/x-git-receive-pack-request",
      accept: "application/x-git-receive-pack-result",
    },
    body: piecesOf([...lines, flushPkt, pack]),
  });
  const packets = readPackets(body);
  await checkReport(isBanded ? readPackets(readSideBand(packets)) : packets, commands);
}

async function checkReport(packets: AsyncIterable<Packet>, commands: readonly RefCommand[]): Promise<void> {
  const taken = new Set<string>();
  const refusals: string[] = [];
  for await (const packet of packets) {
    if (packet === "flush") break;
    const line = packet.toString("utf8").replace(/\n$/, "");
    const [, unpacked] = /^unpack (.*)$/s.exec(line) ?? [];
    if (unpacked !== undefined && unpacked !== "ok") {
      throw refused(`It did not take the pack: ${harmless(unpacked) ?? "no reason given"}`);
    }
    const [, okRef] = /^ok (\S+)/.exec(line) ?? [];
    if (okRef !== undefined) taken.add(okRef);
    const [, ngRef = "", reason = ""] = /^ng (\S+)(?: (.*))?$/s.exec(line) ?? [];
    if (ngRef !== "") refusals.push(harmless(`${ngRef} (${reason === "" ? "no reason given" : reason})`)!);
  }
  const [first] = refusals;
  if (first !== undefined) {
    const others = refusals.length > 1 ? ` and ${refusals.length - 1} more` : "";
    throw refused(`It refused ${first}${others}`);
  }
  if (commands.some(({ ref }) => !taken.has(ref))) throw notGit("it does not say what became of the push");
}

function refused(words: string): AppError {
  return new AppError("conflict", `The repository refuses the push. ${words}.`);
}

/** A request's body in the plugin's form. */
async function* piecesOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
  // The form is asynchronous, what is here is not.
  await Promise.resolve();
  yield* pieces;
}
