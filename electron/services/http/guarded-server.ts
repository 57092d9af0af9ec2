// An HTTP server whose listener sees only guarded requests in origin form. It refuses foreign hosts and origins, odd
// request targets, CONNECT, and bytes that are not HTTP; `createProblem` gives each refusal the service's own form.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import { endWithAnswer, sendAnswer, type Answer, type Headers } from "./answer.ts";
import type { Guard } from "./host-guard.ts";
import { createMalformedHandler } from "./malformed.ts";

export interface TlsIdentity {
  readonly certificatePem: string;
  readonly keyPem: string;
}

export interface GuardedServerOptions {
  /** Read at each request: the hosts are known once the server is bound. */
  readonly guard: () => Guard;
  readonly createProblem: (status: number, message: string, headers?: Headers) => Answer;
  /** Gets each request that passed; its `url` starts with a slash. */
  readonly listener: RequestListener;
  /** Sees each request before the guard does. */
  readonly watch?: RequestListener;
  readonly server: ServerOptions;
  /** Makes the server one of TLS, 1.2 or later. */
  readonly tls?: TlsIdentity | undefined;
}

export function createGuardedServer(options: GuardedServerOptions): Server {
  const { createProblem, watch } = options;
  const malformed = createMalformedHandler(createProblem);
  const connectRefused = createProblem(405, "This service is not a proxy.", { allow: "GET, HEAD" });
  const onRequest: RequestListener = (request, response) => {
    malformed.noteAnswer(request.socket, response);
    watch?.(request, response);
    admit(request, response, options);
  };
  const server = createPlainOrTlsServer(options);
  server.on("request", onRequest);
  server.on("checkContinue", (request, response) => {
    continueWhenRead(request, response);
    onRequest(request, response);
  });
  server.on("checkExpectation", onRequest);
  server.on("connect", (_request, socket) => {
    endWithAnswer(socket, connectRefused);
  });
  server.on("clientError", malformed.refuse);
  return server;
}

function createPlainOrTlsServer({ server, tls }: GuardedServerOptions): Server {
  // The guard refuses a missing Host, and a doubled one must not pass as its first half.
  const options = { ...server, requireHostHeader: false, joinDuplicateHeaders: true };
  if (tls === undefined) return createServer(options);
  return createTlsServer({
    ...options,
    cert: tls.certificatePem,
    key: tls.keyPem,
    minVersion: "TLSv1.2",
    ...(server.headersTimeout !== undefined && { handshakeTimeout: server.headersTimeout }),
  });
}

function admit(
  request: IncomingMessage,
  response: ServerResponse,
  { guard, createProblem, listener }: GuardedServerOptions,
): void {
  const { judge, toOriginForm } = guard();
  const target = toOriginForm(request.url ?? "");
  const refusal = judge({ method: request.method, url: target, headers: request.headers });
  if (refusal) {
    sendAnswer(request, response, createProblem(refusal.status, refusal.message));
  } else if (target === undefined) {
    sendAnswer(request, response, createProblem(400, "The request target is not a path of this service."));
  } else {
    request.url = target;
    listener(request, response);
  }
}

/**
 * Sends "100 Continue" when the listener begins to read the body, and not before: a refused client need not send it.
 * If it is never sent, the connection ends with the answer, because the next bytes may be that body or a request.
 */
function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const keepAlive = response.shouldKeepAlive;
  response.shouldKeepAlive = false;
  const onListener = (event: string | symbol): void => {
    if (event !== "data" && event !== "readable") return;
    request.off("newListener", onListener);
    if (response.headersSent) return;
    response.shouldKeepAlive = keepAlive;
    response.writeContinue();
  };
  request.on("newListener", onListener);
}
