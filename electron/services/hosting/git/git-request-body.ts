// The body of a Git request, decoded piece by piece and only as fast as it is consumed; and how to end a request whose
// body is no longer needed.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { GitRefusal } from "./git-refusal.ts";
import { readPieces } from "./piece-reader.ts";

export interface RequestBody {
  /** Returns undefined at the end. @throws GitRefusal 400 for damaged gzip; the error of a broken connection */
  next(): Promise<Buffer | undefined>;
}

const encodings: ReadonlySet<string> = new Set(["gzip", "x-gzip"]);

/** @throws GitRefusal 415 for a content encoding that Git does not use */
export function checkEncoding(request: IncomingMessage): void {
  const encoding = request.headers["content-encoding"]?.toLowerCase();
  if (encoding !== undefined && encoding !== "identity" && !encodings.has(encoding)) {
    throw new GitRefusal(415, "Bodies must be unencoded or compressed with gzip.");
  }
}

const startBytes = 64;

export function openBody(request: IncomingMessage): RequestBody {
  const encoding = request.headers["content-encoding"]?.toLowerCase() ?? "";
  const read = readPieces(encodings.has(encoding) ? gunzip(request) : request);
  return {
    async next() {
      try {
        return await read();
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code?.startsWith("Z_") === true) {
          throw new GitRefusal(400, "The gzip body of the request is damaged.");
        }
        throw error;
      }
    },
  };
}

export interface AheadBody extends RequestBody {
  /** Up to 64 of the first bytes. */
  readonly start: Buffer;
}

/** Reads up to `byteLength` ahead and returns the same body: while it waits for a slow client, it holds no slot. */
export async function readAhead(body: RequestBody, byteLength: number): Promise<AheadBody> {
  const pieces: Buffer[] = [];
  let arrived = 0;
  while (arrived < byteLength) {
    const piece = await body.next();
    if (piece === undefined) break;
    pieces.push(piece);
    arrived += piece.length;
  }
  const start = Buffer.concat(pieces, Math.min(arrived, startBytes));
  return { start, next: () => (pieces.length > 0 ? Promise.resolve(pieces.shift()) : body.next()) };
}

/** Avoids `pipeline`, which would close the connection on a damaged body, and lose the answer. */
function gunzip(request: IncomingMessage): Readable {
  const stream = createGunzip();
  request.pipe(stream);
  request.once("close", () => {
    if (!request.complete) stream.destroy(new Error("The client disconnected."));
  });
  return stream;
}

const lingerBytes = 64 * 1024 * 1024;
const lingerMs = 10_000;

/**
 * Ends an answer that may precede the end of its request. An immediate close would reset the connection before the
 * client reads the answer, so this first reads and drops a bounded rest of the body.
 */
export async function endAnswer({
  request,
  response,
}: {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}): Promise<void> {
  if (!request.complete && !request.destroyed) await drop(request);
  response.end();
  if (!request.complete) request.socket.destroySoon();
}

function drop(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let byteLength = 0;
    const done = (): void => {
      clearTimeout(timer);
      request.off("data", count).off("end", done).off("close", done).off("error", done);
      resolve();
    };
    const timer = setTimeout(done, lingerMs);
    const count = (chunk: Buffer): void => {
      byteLength += chunk.length;
      if (byteLength > lingerBytes) done();
    };
    // Earlier readers would buffer the data and pause the stream.
    request.removeAllListeners("data").unpipe();
    request.on("data", count).on("end", done).on("close", done).on("error", done);
    request.resume();
  });
}
