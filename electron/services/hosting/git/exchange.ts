// One authorized Git request, and how Git's output is sent to the client.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { releaseMemory } from "../../../../shared/release-memory.ts";
import type { GitAccess } from "../hosting-records.ts";
import { writeAheadBytes } from "../hosting-limits.ts";
import { inBatches } from "./batches.ts";
import { createPace, type Pace } from "./client-pace.ts";
import { refuseFailure } from "./git-refusal.ts";
import type { GitRoute } from "./git-route.ts";
import type { GitProcess } from "./git-runner.ts";
import type { OutputFilter } from "./message-filter.ts";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: GitRoute;
  readonly access: GitAccess;
  /** Absolute path of the bare repository. */
  readonly directory: string;
  /** Aborted when the client has gone, the repository is deleted or the host closes. */
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

export interface WriteOptions {
  /** Called when the bytes are sent and their memory is free. */
  readonly written?: () => void;
  /** Bytes that may wait in memory in addition to the stream's own buffer. */
  readonly aheadBytes?: number;
}

/** Resolves when the stream accepts more; false if it is closed. */
export async function write(
  stream: Writable,
  bytes: Buffer,
  { written, aheadBytes = 0 }: WriteOptions = {},
): Promise<boolean> {
  if (stream.destroyed || stream.writableEnded) return false;
  const hasRoom = stream.write(bytes, (error) => {
    // After an error the system may still hold the bytes.
    if (!error) written?.();
  });
  if (hasRoom || stream.writableLength < aheadBytes) return true;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      stream.off("drain", done).off("close", done).off("error", done);
      resolve();
    };
    stream.on("drain", done).on("close", done).on("error", done);
  });
  return !stream.destroyed;
}

/** Resolves when the bytes are sent and their memory is free; false if the stream is closed. */
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
  readonly filter: OutputFilter;
  /** True to read to the end even if the client has gone. */
  readonly keepReading?: boolean;
  /** Gives up a client that reads too slowly. */
  readonly pace?: Pace;
}

/**
 * Sends `prefix` and Git's filtered output. The answer begins with Git's first byte, so that an immediate failure of
 * Git becomes an error instead. Resolves when everything but the end of the answer is sent.
 * @throws GitRefusal as `refuseFailure` if Git fails without output, 408 for a client that is too slow; the signal's
 * reason if it was aborted
 */
export async function sendOutput(
  exchange: Exchange,
  child: GitProcess,
  { filter, prefix, keepReading = false, pace }: OutputOptions,
): Promise<void> {
  const { response, signal } = exchange;
  const clientPace = pace && createPace(pace);
  const send = (piece: Buffer): Promise<boolean> => {
    const written = (): void => {
      // Does nothing for a view.
      releaseMemory(piece);
    };
    const step = write(response, piece, { written, aheadBytes: writeAheadBytes });
    return clientPace?.wait(step, () => piece.length) ?? step;
  };
  const sendAll = async (pieces: readonly Buffer[]): Promise<boolean> => {
    for (const piece of pieces) if (piece.length > 0 && !(await send(piece))) return false;
    return true;
  };
  let begun = false;
  for await (const piece of inBatches(child.stdout)) {
    if (!begun) {
      begun = true;
      beginAnswer(exchange);
      if (prefix !== undefined) await send(prefix);
    }
    if (!(await sendAll(filter.read(piece))) && !keepReading) break;
  }
  if (begun) await sendAll([filter.end()]);
  const { status, stderr } = await child.ended;
  signal.throwIfAborted();
  if (begun) return;
  if (status !== 0) throw refuseFailure(stderr);
  beginAnswer(exchange);
}

/** Returns `GIT_PROTOCOL` for a request. Version 2 does not exist for pushes: Git's own clients request 0 there. */
export function protocolEnvironment(
  request: IncomingMessage,
  service: GitRoute["service"],
): Readonly<Record<string, string>> {
  const header = request.headers["git-protocol"];
  const match =
    typeof header === "string" ? /^version=([12])(?::[a-z0-9=.-]{1,64}){0,4}$/.exec(header) : null;
  if (match === null || (service === "git-receive-pack" && match[1] === "2")) return {};
  return { GIT_PROTOCOL: `version=${match[1]!}` };
}
