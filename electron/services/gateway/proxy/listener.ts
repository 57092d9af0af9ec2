// The gateway's listener: Node's HTTP server with bounds on heads, connections and waiting. What is no request is refused
// here, in plain words; what is one goes on to the pipeline.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { cacheRules, createAnswer, textType, type Headers } from "../../http/answer.ts";
import { createMalformedHandler } from "../../http/malformed.ts";
import { endWithAnswer } from "../../http/send.ts";
import { FairShare, mostAtOnce } from "./fair-share.ts";
import { shareTaken, tunnelRefused, type ArrivedRequest } from "./front-checks.ts";
import { retryAfter } from "./own-answers.ts";

export interface ListenerPatience {
  /** For a request's head, in ms. */
  readonly requestHeadMs: number;
  /** For a connection's next request. */
  readonly keptMs: number;
  /** Without any byte either way. */
  readonly idleMs: number;
}

const mostHeadBytes = 32 * 1024;
const mostConnections = 2_048;

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const toProblem = (status: number, message: string, headers: Headers = {}) =>
  createAnswer({ status, body: `${message}\n`, type: textType, cache: cacheRules.none, headers });

export interface ListenerOptions {
  readonly answer: Answer;
  readonly patience: ListenerPatience;
  /** Whether an address is one of a proxy, which may hold any number of connections. */
  readonly isProxy: (address: string) => boolean;
}

export function createListener({ answer, patience, isProxy }: ListenerOptions): Server {
  const { requestHeadMs, keptMs, idleMs } = patience;
  const malformed = createMalformedHandler(toProblem);
  const tunnel = toProblem(tunnelRefused.status, tunnelRefused.message);
  const take: Answer = (request, response) => {
    malformed.noteAnswer(request.socket, response);
    answer(request, response);
  };
  const server = createServer({
    maxHeaderSize: mostHeadBytes,
    headersTimeout: requestHeadMs,
    // A body may be long: what counts is that bytes flow.
    requestTimeout: 0,
    keepAliveTimeout: keptMs,
    connectionsCheckingInterval: Math.min(requestHeadMs, 5_000),
    // The front checks say it themselves, also of HTTP/1.0.
    requireHostHeader: false,
  });
  // Bounded by their bytes; those beyond a number would be dropped silently.
  server.maxHeadersCount = 0;
  server.maxConnections = mostConnections;
  shareConnections(server, isProxy);
  server.setTimeout(idleMs);
  server.on("request", take);
  // Whether a body is wanted is known when the origin is asked.
  server.on("checkContinue", take);
  server.on("clientError", malformed.refuse);
  server.on("connect", (_request, socket) => {
    endWithAnswer(socket, tunnel);
  });
  return server;
}

/** An address that holds as many as it may is told so, and the connection closed before anything is read of it. */
function shareConnections(server: Server, isProxy: (address: string) => boolean): void {
  const share = new FairShare({ most: mostAtOnce, isExempt: isProxy });
  const refusal = toProblem(shareTaken.status, shareTaken.message, { "retry-after": retryAfter });
  // What Node's HTTP server does with a connection is a listener like any other.
  const serve = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    if (!share.take(address)) {
      socket.on("error", () => {
        // It is closed in any case.
      });
      endWithAnswer(socket, refusal);
      return;
    }
    socket.once("close", () => {
      share.release(address);
    });
    for (const listener of serve) listener.call(server, socket);
  });
}

export function toArrived(request: IncomingMessage): ArrivedRequest {
  return {
    method: request.method!,
    target: request.url!,
    httpVersion: request.httpVersion,
    headers: request.headers,
    rawHeaders: request.rawHeaders,
  };
}

/** Undefined for a request that has none. */
export function bodyOpenerOf(
  request: IncomingMessage,
  response: ServerResponse,
): (() => PassThrough) | undefined {
  const { headers } = request;
  const length = headers["content-length"];
  if (headers["transfer-encoding"] === undefined && (length === undefined || Number(length) === 0))
    return undefined;
  return () => {
    if (headers.expect !== undefined) response.writeContinue();
    // A stream of its own: when an origin answers early, what carries its request ends this and not the connection.
    const body = new PassThrough();
    body.on("error", () => {
      // It is told by the exchange that it belongs to.
    });
    // Who has been answered early may still be sending; the rest is read for nobody, or the next request would never be.
    response.once("finish", () => {
      request.unpipe(body).resume();
    });
    return request.pipe(body);
  };
}
