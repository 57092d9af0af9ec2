// The read side: the list of refs, and clones, fetches and pulls, run by `git upload-pack` and streamed both ways.
import { flushPkt, formatPkt } from "../../../sharing/git/pkt-line.ts";
import { maxNegotiationBytes, readAheadBytes } from "../hosting-limits.ts";
import { protocolEnvironment, sendOutput, write, type Exchange } from "./exchange.ts";
import { GitRefusal } from "./git-refusal.ts";
import { endAnswer, openBody, readAhead, type RequestBody } from "./git-request-body.ts";
import type { GitProcess, GitRunner } from "./git-runner.ts";
import { pushOptions } from "./pushing.ts";

/** Time for the rest of a long negotiation, which holds a slot. */
const restMs = 120_000;

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

/** Sends the refs, before a fetch or a push. */
export async function advertise(exchange: Exchange, runner: GitRunner): Promise<void> {
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
  await sendOutput(exchange, child, isVersion2 ? {} : { prefix });
  await endAnswer(exchange);
}

/** Reads the request of a fetch before it has a slot, so that a slow client holds none meanwhile. */
export function readNegotiation({ request }: Pick<Exchange, "request">): Promise<RequestBody> {
  return readAhead(openBody(request), readAheadBytes);
}

/** Sends a pack. Calls `note` if a pack was sent: requests that only look at the refs are not fetches. */
export async function upload(
  exchange: Exchange,
  body: RequestBody,
  { runner, note }: { readonly runner: GitRunner; readonly note: () => Promise<void> },
): Promise<void> {
  const { request, route, directory, signal } = exchange;
  const child = runner.spawn({
    args: [...uploadOptions, "upload-pack", "--stateless-rpc", "--strict", directory],
    env: protocolEnvironment(request, route.service),
    signal,
  });
  const watcher = createPackWatcher();
  let fault: unknown;
  const late = setTimeout(() => request.destroy(new Error("The request arrived too slowly.")), restMs);
  const fed = feed(body, child).finally(() => {
    clearTimeout(late);
  });
  fed.catch((error: unknown) => {
    // Ends the answer below, which then reports the fault of the request.
    fault = error;
    child.kill();
  });
  try {
    await sendOutput(exchange, child, { look: watcher.look });
  } catch (error) {
    child.kill();
    throw fault ?? error;
  }
  if (watcher.seen()) await note();
  await endAnswer(exchange);
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
