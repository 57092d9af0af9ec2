// The read side: the list of refs, and clones, fetches and pulls, run by `git upload-pack` and streamed both ways.
import { flushPkt, formatPkt } from "../../../sharing/git/pkt-line.ts";
import { maxNegotiationBytes, readAheadBytes } from "../hosting-limits.ts";
import { atPace, type Pace } from "./client-pace.ts";
import { protocolEnvironment, sendOutput, write, type Exchange } from "./exchange.ts";
import { GitRefusal } from "./git-refusal.ts";
import { openBody, readAhead, type AheadBody, type RequestBody } from "./git-request-body.ts";
import type { GitProcess, GitRunner } from "./git-runner.ts";
import { createFetchFilter, type OnWithheld } from "./message-filter.ts";
import { pushOptions } from "./pushing.ts";

const uploadOptions = [
  ...["-c", "uploadpack.allowFilter=true"],
  ...["-c", "uploadpack.allowAnySHA1InWant=true"],
  // Allows only filters that cost no more than a walk.
  ...["-c", "uploadpackfilter.allow=false"],
  ...["-c", "uploadpackfilter.blob:none.allow=true"],
  ...["-c", "uploadpackfilter.blob:limit.allow=true"],
  ...["-c", "uploadpackfilter.tree.allow=true"],
  ...["-c", "uploadpackfilter.object:type.allow=true"],
  // Ten clones at once must fit into a laptop's memory.
  ...["-c", "pack.windowMemory=64m"],
  ...["-c", "pack.deltaCacheSize=32m"],
];

export interface FetchTools {
  readonly runner: GitRunner;
  readonly pace: Pace;
  readonly onWithheld: OnWithheld;
  /** Called when a pack was sent. */
  readonly note: () => Promise<void>;
}

/** Sends the refs, before a fetch or a push. The caller ends the answer. */
export async function advertise(
  exchange: Exchange,
  { runner, pace, onWithheld }: Omit<FetchTools, "note">,
): Promise<void> {
  const { request, route, directory, signal } = exchange;
  const env = protocolEnvironment(request, route.service);
  const [options, command] =
    route.service === "git-upload-pack" ? [uploadOptions, "upload-pack"] : [pushOptions, "receive-pack"];
  const child = runner.spawn({
    args: [...options, command, "--stateless-rpc", "--advertise-refs", directory],
    env,
    signal,
  });
  child.stdin.end();
  const isVersion2 = env.GIT_PROTOCOL === "version=2";
  const prefix = Buffer.concat([formatPkt(`# service=${route.service}\n`), flushPkt]);
  const filter = createFetchFilter(onWithheld);
  await sendOutput(exchange, child, { filter, pace, ...(isVersion2 ? {} : { prefix }) });
}

/** Reads the request of a fetch before it has a slot, so that a slow client holds none meanwhile. */
export function readNegotiation({ request }: Pick<Exchange, "request">): Promise<AheadBody> {
  return readAhead(openBody(request), readAheadBytes);
}

/** Returns true for a request of version 2 that only lists the refs. */
export function listsRefs({ start }: AheadBody): boolean {
  return /^[0-9a-f]{4}command=ls-refs\b/i.test(start.toString("latin1"));
}

/**
 * Sends a pack, or what the negotiation asks for instead: requests that only look at the refs are not fetches. The
 * caller ends the answer.
 */
export async function upload(
  exchange: Exchange,
  body: RequestBody,
  { runner, pace, onWithheld, note }: FetchTools,
): Promise<void> {
  const { request, route, directory, signal } = exchange;
  const child = runner.spawn({
    args: [...uploadOptions, "upload-pack", "--stateless-rpc", "--strict", directory],
    env: protocolEnvironment(request, route.service),
    signal,
  });
  const watcher = createPackWatcher();
  const filter = createFetchFilter(onWithheld);
  const read = (piece: Buffer): readonly Buffer[] => {
    watcher.look(piece);
    return filter.read(piece);
  };
  let fault: unknown;
  feed(atPace(body, pace), child).catch((error: unknown) => {
    // Ends the answer below, which then reports the fault of the request.
    fault = error;
    child.kill();
  });
  try {
    await sendOutput(exchange, child, { filter: { ...filter, read }, pace });
  } catch (error) {
    child.kill();
    throw fault ?? error;
  }
  if (watcher.seen()) await note();
}

async function feed(body: RequestBody, child: GitProcess): Promise<void> {
  let byteLength = 0;
  for (let piece = await body.next(); piece !== undefined; piece = await body.next()) {
    byteLength += piece.length;
    if (byteLength > maxNegotiationBytes) {
      throw new GitRefusal(413, "The request is longer than a fetch can need.");
    }
    if (!(await write(child.stdin, piece))) return;
  }
  child.stdin.end();
}

const packSignature = Buffer.from("PACK\0\0\0\x02", "latin1");
/** Acknowledgements and progress precede the pack; it begins within these bytes or not at all. */
const watchedBytes = 256 * 1024;

function createPackWatcher() {
  let looked = 0;
  let found = false;
  return {
    look: (piece: Buffer): void => {
      if (found || looked > watchedBytes) return;
      looked += piece.length;
      found = piece.includes(packSignature);
    },
    seen: (): boolean => found,
  };
}
