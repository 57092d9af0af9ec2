// The gateway's listener: the server of every listener, with limits on heads and waiting of its own, and refusals in
// plain words; requests go on to the pipeline.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { cacheRules, createAnswer, textType, type Headers } from "../../http/answer.ts";
import { createLimitedServer } from "../../http/limited-server.ts";
import { hasBody } from "../../http/request-body.ts";
import { proxyLimits, type ProxyTimeouts } from "../gateway-limits.ts";
import { tunnelRefused } from "./front-checks.ts";

const toProblem = (status: number, message: string, headers: Headers = {}) =>
  createAnswer({ status, body: `${message}\n`, type: textType, cache: cacheRules.none, headers });

export interface ListenerOptions {
  readonly answer: RequestListener;
  readonly timeouts: Pick<ProxyTimeouts, "requestHeadMs" | "keepAliveMs" | "idleMs">;
  /** Returns true for the address of a trusted proxy. */
  readonly isProxy: (address: string) => boolean;
}

export function createListener({ answer, timeouts, isProxy }: ListenerOptions): Server {
  const { requestHeadMs, keepAliveMs, idleMs } = timeouts;
  const server = createLimitedServer({
    server: {
      maxHeaderSize: proxyLimits.requestHeadBytes,
      headersTimeout: requestHeadMs,
      // A body may be long: `idleMs` requires that bytes flow.
      requestTimeout: 0,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(requestHeadMs, 5_000),
    },
    createProblem: toProblem,
    tunnelRefused: toProblem(tunnelRefused.status, tunnelRefused.message),
    isProxy,
    // Also with "Expect: 100-continue": whether the body is wanted is known once the origin is asked.
    onRequest: answer,
    onExpectation: (_request, response) => {
      response.writeHead(417).end();
    },
  });
  // Limited by their bytes; Node would silently drop those beyond a number.
  server.maxHeadersCount = 0;
  server.setTimeout(idleMs);
  return server;
}

/** Returns undefined for a request without a body. */
export function bodyOpenerOf(
  request: IncomingMessage,
  response: ServerResponse,
): (() => PassThrough) | undefined {
  if (!hasBody(request)) return undefined;
  return () => {
    if (request.headers.expect !== undefined) response.writeContinue();
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
