// A request to `git-receive-pack` (gitprotocol-pack, "Pushing Data"): several references with the packfile they need,
// and the report on them. isomorphic-git's own push moves one reference a request: 720 tags would be 720 requests.
import { AppError } from "../../../../shared/app-error.ts";
import { flushPkt, formatPkt } from "../../git/pkt-line.ts";
import { readPackets, readSideBand } from "./packets.ts";
import { harmless, notGit } from "./remote-error.ts";
import type { RemoteRefs } from "./remote-refs.ts";

export interface RefCommand {
  readonly ref: string;
  /** Undefined for a reference that does not exist yet. */
  readonly oldOid: string | undefined;
  readonly newOid: string;
}

export interface PushRequest {
  readonly commands: readonly [RefCommand, ...RefCommand[]];
  /** A packfile, with or without objects. */
  readonly pack: Uint8Array;
  /** Capabilities of the service. */
  readonly capabilities: ReadonlySet<string>;
}

/** A repository that is pushed to. */
export interface PushRemote {
  loadRefs(): Promise<RemoteRefs>;
  /** Returns the bytes of the report. */
  push(body: readonly Uint8Array[]): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Idempotent. */
  close(): void;
}

/** Converts pieces to a stream. */
export async function* toStream(pieces: readonly Uint8Array[]): AsyncGenerator<Buffer, void, undefined> {
  await Promise.resolve();
  for (const { buffer, byteOffset, byteLength } of pieces) yield Buffer.from(buffer, byteOffset, byteLength);
}

const noOid = "0".repeat(40);

/** @throws AppError `conflict` with the service's own words if it refuses the push; and as the remote does */
export async function requestPush(remote: PushRemote, request: PushRequest): Promise<void> {
  const { commands, pack, capabilities } = request;
  if (!capabilities.has("report-status")) throw notGit("it does not report the result of a push");
  // With `atomic`, all references move or none.
  const used = ["report-status", "side-band-64k", "atomic"]
    .filter((name) => capabilities.has(name))
    .join(" ");
  const lines = commands.map(({ ref, oldOid, newOid }, index) =>
    formatPkt(`${oldOid ?? noOid} ${newOid} ${ref}${index === 0 ? `\0 ${used}` : ""}`),
  );
  const packets = readPackets(await remote.push([...lines, flushPkt, pack]));
  const report = capabilities.has("side-band-64k") ? readPackets(readSideBand(packets)) : packets;
  const accepted = new Set<string>();
  const refusals: string[] = [];
  for await (const packet of report) {
    if (packet === "flush") break;
    const line = packet.toString("utf8").replace(/\n$/, "");
    const [, unpacked] = /^unpack (.*)$/s.exec(line) ?? [];
    if (unpacked !== undefined && unpacked !== "ok") {
      throw refused(`It did not accept the pack: ${harmless(unpacked) ?? "no reason given"}`);
    }
    const [, okRef] = /^ok (\S+)/.exec(line) ?? [];
    if (okRef !== undefined) accepted.add(okRef);
    const [, ngRef = "", reason = ""] = /^ng (\S+)(?: (.*))?$/s.exec(line) ?? [];
    if (ngRef !== "") refusals.push(harmless(`${ngRef} (${reason === "" ? "no reason given" : reason})`)!);
  }
  const [first] = refusals;
  if (first !== undefined) {
    const others = refusals.length > 1 ? ` and ${refusals.length - 1} more` : "";
    throw refused(`It refused ${first}${others}`);
  }
  if (commands.some(({ ref }) => !accepted.has(ref))) {
    throw notGit("it does not report the result of every reference");
  }
}

function refused(words: string): AppError {
  return new AppError("conflict", `The repository refuses the push. ${words}.`);
}
