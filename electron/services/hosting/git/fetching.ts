// The read side: refs, and the exchange of a clone, fetch or pull, run by `git upload-pack` and streamed both ways.
import { GitRefusal } from "./git-refusal.ts";
import { finish, protocolEnvironment, sendOutput, write, type Exchange } from "./exchange.ts";
import type { GitProcess, GitRunner } from "./git-runner.ts";
import { flushPkt, formatPkt } from "../../../sharing/git/pkt-line.ts";
import { pushOptions } from "./pushing.ts";
import { openBody, readAhead, type RequestBody } from "./git-request-body.ts";

/** What a negotiation can come to with very many refs; decoded, so that gzip cannot hide more. */
export const maxNegotiationBytes = 64 * 1024 * 1024;

/** What nearly every negotiation fits into. */
const aheadBytes = 1024 * 1024;
/** For the rest of a longer one, while it keeps others waiting. */
const restMs = 120_000;

const uploadOptions = [
  ...["-c", "uploadpack.allowFilter=true"],
  ...["-c", "uploadpack.allowAnySHA1InWant=true"],
  // Filters that cost no more than a walk.
  ...["-c", "uploadpackfilter.allow=false"],
  ...["-c", "uploadpackfilter.blob:none.allow=true"],
  ...["-c", "uploadpackfilter.blob:limit.allow=true"],
  ...["-c", "uploadpackfilter.tree.allow=true"],
  ...["-c", "uploadpackfilter.object:type.allow=true"],
  // Ten clones at once must fit into a laptop's memory.
  ...["-c", "pack.windowMemory=64m"],
  ...["-c", "pack.deltaCacheSize=32m"],
];

/** The refs, for fetching and for pushing. */
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
  await finish(exchange);
}

/** The request of a clone or fetch, taken in before it has a turn: a client that sends it slowly must not hold one meanwhile. */
export function takeNegotiation({ request }: Pick<Exchange, "request">): Promise<RequestBody> {
  return readAhead(openBody(request), aheadBytes);
}

/** `note` is called when a pack was sent, which is what a fetch is and a mere look at the refs is not. */
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
  const late = setTimeout(() => request.destroy(new Error("The request came too slowly.")), restMs);
  const fed = feed(body, child).finally(() => {
    clearTimeout(late);
  });
  fed.catch((error: unknown) => {
    // Ends the answer below, which then says what was wrong with the request.
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
  await finish(exchange);
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
/** Acknowledgements and progress come before the pack; it begins within this or not at all. */
const watchedBytes = 256 * 1024;

function createPackWatcher(): { readonly look: (piece: Buffer) => void; readonly seen: () => boolean } {
  let looked = 0;
  let found = false;
  return {
    look: (piece) => {
      if (found || looked > watchedBytes) return;
      looked += piece.length;
      found = piece.includes(packSignature);
    },
    seen: () => found,
  };
}
