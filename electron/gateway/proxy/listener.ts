// The gateway's listener: Node's HTTP server with bounds on heads, connections and waiting. What is no request is refused
// here, in plain words; what is one goes on to the pipeline.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { cacheRules, createAnswer, textType } from "../../http/answer.ts";
import { createMalformedHandler } from "../../http/malformed.ts";
import { endWithAnswer } from "../../http/send.ts";
import type { ArrivedRequest } from "./front-checks.ts";
import { tunnelRefused } from "./front-checks.ts";

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

const toProblem = (status: number, message: string) =>
  createAnswer({ status, body: `${message}\n`, type: textType, cache: cacheRules.none });

export function createListener(answer: Answer, { requestHeadMs, keptMs, idleMs }: ListenerPatience): Server {
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
