// An HTTP server whose listener sees only guarded requests in origin form. It refuses foreign hosts and origins, and
// odd request targets; `createProblem` gives each refusal the service's own form.
import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from "node:http";
import { sendAnswer, type Answer, type Headers } from "./answer.ts";
import type { Guard } from "./host-guard.ts";
import { createLimitedServer, type TlsIdentity, type Upgrades } from "./limited-server.ts";

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
  readonly upgrades?: Upgrades;
  /** Returns true for the address of a proxy on another machine. */
  readonly isProxy?: ((address: string) => boolean) | undefined;
}

/** Addresses of this machine's programs, and of a proxy on it. */
const ownAddresses = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);

export function createGuardedServer(options: GuardedServerOptions): Server {
  const { createProblem, watch, server, tls, upgrades, isProxy = () => false } = options;
  const onRequest: RequestListener = (request, response) => {
    watch?.(request, response);
    admit(request, response, options);
  };
  return createLimitedServer({
    // The guard refuses a doubled Host, which must not pass as its first half.
    server: { ...server, joinDuplicateHeaders: true },
    tls,
    createProblem,
    tunnelRefused: createProblem(405, "This service is not a proxy.", { allow: "GET, HEAD" }),
    isProxy: (address) => ownAddresses.has(address) || isProxy(address),
    onRequest,
    onContinue: (request, response) => {
      continueWhenRead(request, response);
      onRequest(request, response);
    },
    onExpectation: onRequest,
    upgrades,
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
