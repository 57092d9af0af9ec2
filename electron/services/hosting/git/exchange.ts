// One Git request under way, once it was let in, and how Git's answer goes out.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { inBatches } from "./batches.ts";
import { releaseMemory } from "../../../../shared/release-memory.ts";
import type { GitAccess } from "../hosting-records.ts";
import { GitRefusal } from "./git-refusal.ts";
import type { GitRoute } from "./git-route.ts";
import type { GitProcess } from "./git-runner.ts";
import { endAnswer } from "./git-request-body.ts";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: GitRoute;
  readonly access: GitAccess;
  /** Absolute path of the bare repository. */
  readonly directory: string;
  /** Aborted when the client is gone, the repository is deleted or the host closes. */
  readonly signal: AbortSignal;
}

const noCache = {
  "Cache-Control": "no-cache, max-age=0, must-revalidate",
  Expires: "Fri, 01 Jan 1980 00:00:00 GMT",
  Pragma: "no-cache",
} as const;

export function beginAnswer({ response, route }: Exchange): void {
  const { service, step } = route;
  const kind = step === "advertise" ? "advertisement" : "result";
  response.writeHead(200, { ...noCache, "Content-Type": `application/x-${service}-${kind}` });
}

/**
 * False when the stream takes nothing any more; resolves when it may take more. `written` is called when the bytes are out
 * and nobody needs them any more.
 */
export async function write(stream: Writable, bytes: Buffer, written?: () => void): Promise<boolean> {
  if (stream.destroyed || stream.writableEnded) return false;
  const taken = stream.write(bytes, (error) => {
    // The system may still hold the bytes of a connection that broke.
    if (!error) written?.();
  });
  if (taken) return true;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      stream.off("drain", done).off("close", done).off("error", done);
      resolve();
    };
    stream.on("drain", done).on("close", done).on("error", done);
  });
  return !stream.destroyed;
}

/** Resolves when the bytes are out and nobody reads them any more; false when the stream takes nothing any more. */
export function writeOut(stream: Writable, bytes: Buffer): Promise<boolean> {
  if (stream.destroyed || stream.writableEnded) return Promise.resolve(false);
  return new Promise((resolve) => {
    const gone = (): void => {
      resolve(false);
    };
    stream.once("close", gone);
    stream.write(bytes, (error) => {
      stream.off("close", gone);
      resolve(!error);
    });
  });
}

export interface OutputOptions {
  readonly prefix?: Buffer;
  /** Must not keep the piece. */
  readonly look?: (piece: Buffer) => void;
  /** Also when there is nobody to send it to. */
  readonly keepReading?: boolean;
}

/**
 * Sends `prefix` and what Git writes; the answer begins with Git's first byte, so that a Git that fails at once gives an
 * error instead. `look` sees each piece. Resolves when all is sent but the end.
 * @throws GitRefusal 500 when Git fails without a word; the signal's reason when it was aborted
 */
export async function sendOutput(
  exchange: Exchange,
  child: GitProcess,
  { prefix, look, keepReading = false }: OutputOptions = {},
): Promise<void> {
  const { response, signal } = exchange;
  let begun = false;
  for await (const piece of inBatches(child.stdout)) {
    if (!begun) {
      begun = true;
      beginAnswer(exchange);
      if (prefix !== undefined) await write(response, prefix);
    }
    look?.(piece);
    const written = (): void => {
      releaseMemory(piece);
    };
    if (!(await write(response, piece, written)) && !keepReading) break;
  }
  const { status, stderr } = await child.ended;
  signal.throwIfAborted();
  if (begun) return;
  if (status !== 0) throw new GitRefusal(500, "Git could not answer for this repository.", {}, stderr);
  beginAnswer(exchange);
}

export async function finish({ request, response }: Exchange): Promise<void> {
  await endAnswer(request, response);
}

/** `GIT_PROTOCOL` of a request. Pushing knows no version 2: Git's own clients ask for 0 there. */
export function protocolEnvironment(
  request: IncomingMessage,
  service: GitRoute["service"],
): Readonly<Record<string, string>> {
  const header = request.headers["git-protocol"];
  const asked =
    typeof header === "string" ? /^version=([12])(?::[a-z0-9=.-]{1,64}){0,4}$/.exec(header) : null;
  if (asked === null || (service === "git-receive-pack" && asked[1] === "2")) return {};
  return { GIT_PROTOCOL: `version=${asked[1]!}` };
}
