// The body of a Git request, decoded, piece by piece and only as fast as it is taken; and what becomes of a body that
// nobody wants any more.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { GitRefusal } from "./git-refusal.ts";
import { readPieces } from "./piece-reader.ts";

export interface RequestBody {
  /** Undefined at the end. @throws GitRefusal 400 for damaged gzip; what the connection says when it breaks */
  next(): Promise<Buffer | undefined>;
}

const encodings: ReadonlySet<string> = new Set(["gzip", "x-gzip"]);

/** @throws GitRefusal 415 for a content encoding that Git does not use */
export function checkEncoding(request: IncomingMessage): void {
  const encoding = request.headers["content-encoding"]?.toLowerCase();
  if (encoding !== undefined && encoding !== "identity" && !encodings.has(encoding)) {
    throw new GitRefusal(415, "Bodies are taken as they are or compressed with gzip.");
  }
}

export function openBody(request: IncomingMessage): RequestBody {
  const encoding = request.headers["content-encoding"]?.toLowerCase() ?? "";
  const stream: Readable = encodings.has(encoding) ? gunzip(request) : request;
  const read = readPieces(stream);
  return {
    async next() {
      try {
        return await read();
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code?.startsWith("Z_") === true)
          throw new GitRefusal(400, "The gzip body of the request is damaged.");
        throw error;
      }
    },
  };
}

/**
 * The same body, of which all that is there up to `byteLength` has arrived: whoever waits for a slow client then keeps nobody
 * else waiting.
 */
export async function readAhead(body: RequestBody, byteLength: number): Promise<RequestBody> {
  const pieces: Buffer[] = [];
  let arrived = 0;
  while (arrived < byteLength) {
    const piece = await body.next();
    if (piece === undefined) break;
    pieces.push(piece);
    arrived += piece.length;
  }
  return { next: () => (pieces.length > 0 ? Promise.resolve(pieces.shift()) : body.next()) };
}

/** Not `pipeline`, which would take the connection down with a damaged body, and the answer with it. */
function gunzip(request: IncomingMessage): Readable {
  const stream = createGunzip();
  request.pipe(stream);
  request.once("close", () => {
    if (!request.complete) stream.destroy(new Error("The client went away."));
  });
  return stream;
}

const lingerBytes = 64 * 1024 * 1024;
const lingerMs = 10_000;

/**
 * Ends an answer that may have come before its request was read. Closing at once would reset the connection under the
 * client's hands, which then never sees the answer; so a bounded rest of the body is read and dropped first.
 */
export async function endAnswer(request: IncomingMessage, response: ServerResponse): Promise<void> {
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
    // Who read before us would keep what comes, and hold it up.
    request.removeAllListeners("data").unpipe();
    request.on("data", count).on("end", done).on("close", done).on("error", done);
    request.resume();
  });
}
