// The gateway's listener: Node's HTTP server with limits on heads, connections and waiting. It refuses what is not
// HTTP, in plain words; requests go on to the pipeline.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { cacheRules, createAnswer, endWithAnswer, textType, type Headers } from "../../http/answer.ts";
import { createMalformedHandler } from "../../http/malformed.ts";
import { proxyLimits, type ProxyTimeouts } from "../gateway-limits.ts";
import { FairShare } from "./fair-share.ts";
import { shareTaken, tunnelRefused } from "./front-checks.ts";

const toProblem = (status: number, message: string, headers: Headers = {}) =>
  createAnswer({ status, body: `${message}\n`, type: textType, cache: cacheRules.none, headers });

export interface ListenerOptions {
  readonly answer: RequestListener;
  readonly timeouts: Pick<ProxyTimeouts, "requestHeadMs" | "keepAliveMs" | "idleMs">;
  /** Returns true for the address of a proxy, which may hold any number of connections. */
  readonly isProxy: (address: string) => boolean;
}

export function createListener({ answer, timeouts, isProxy }: ListenerOptions): Server {
  const { requestHeadMs, keepAliveMs, idleMs } = timeouts;
  const malformed = createMalformedHandler(toProblem);
  const tunnel = toProblem(tunnelRefused.status, tunnelRefused.message);
  const take: RequestListener = (request, response) => {
    malformed.noteAnswer(request.socket, response);
    answer(request, response);
  };
  const server = createServer({
    maxHeaderSize: proxyLimits.requestHeadBytes,
    headersTimeout: requestHeadMs,
    // A body may be long: `idleMs` requires that bytes flow.
    requestTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: Math.min(requestHeadMs, 5_000),
    // The front checks refuse it, for HTTP/1.0 too.
    requireHostHeader: false,
  });
  // Limited by their bytes; Node would silently drop those beyond a number.
  server.maxHeadersCount = 0;
  server.maxConnections = proxyLimits.connections;
  shareConnections(server, isProxy);
  server.setTimeout(idleMs);
  server.on("request", take);
  // Whether the body is wanted is known once the origin is asked.
  server.on("checkContinue", take);
  server.on("clientError", malformed.refuse);
  server.on("connect", (_request, socket) => {
    endWithAnswer(socket, tunnel);
  });
  return server;
}

/** Refuses a connection of an address that already has its share, before anything of it is read. */
function shareConnections(server: Server, isProxy: (address: string) => boolean): void {
  const share = new FairShare({ most: proxyLimits.perAddress, isExempt: isProxy });
  const refusal = toProblem(shareTaken.status, shareTaken.message, { "retry-after": proxyLimits.retryAfter });
  // Node's HTTP server itself listens to this event.
  const serve = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    if (!share.take(address)) {
      socket.on("error", () => {
        // It is being closed anyway.
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

/** Returns undefined for a request without a body. */
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
    // A stream of its own: if an origin answers early, undici ends this stream and not the connection.
    const body = new PassThrough();
    body.on("error", () => {
      // The exchange reports it.
    });
    // After an early response, the rest of the body is read and dropped, so that the next request can follow.
    response.once("finish", () => {
      request.unpipe(body).resume();
    });
    return request.pipe(body);
  };
}
