// One listener of the API, plain or TLS: it binds, guards under the names that it then has, watches for idle clients,
// and may be opened again after it was closed.
import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "../../../shared/app-error.ts";
import { createGuardedServer } from "../http/guarded-server.ts";
import { createHostGuard } from "../http/host-guard.ts";
import type { TlsIdentity } from "../http/limited-server.ts";
import { bind, type BindOptions } from "../http/listening.ts";
import { createServerEnding, type ServerEnding } from "../http/server-ending.ts";
import { apiLimits, type ApiTimeouts } from "./api-limits.ts";
import { createHttpProblem } from "./envelope.ts";

export interface ApiAddress {
  /** `http://127.0.0.1:PORT` or `https://NAME:PORT`, without a trailing slash. */
  readonly origin: string;
  readonly port: number;
}

/** Answers a guarded request. `origin` is the listener's, as the client named it. */
export type ApiListener = (request: IncomingMessage, response: ServerResponse, origin: string) => void;

interface Names {
  readonly hosts: readonly string[];
  /** Returns the origin of a request with this `Host`; of the listener if it is omitted. */
  readonly originFor: (host?: string) => string;
}

/** `findListener` is called at each request, because parts come and go. */
export function createListening(findListener: () => ApiListener, timeouts: ApiTimeouts) {
  let current: ServerEnding | undefined;
  return {
    async open(
      { tls, ...address }: BindOptions & { readonly tls?: TlsIdentity },
      toNames: (port: number) => Names,
    ): Promise<ApiAddress> {
      if (current !== undefined) throw new AppError("conflict", "The service listens already.");
      const scheme = tls ? "https" : "http";
      let guard = createHostGuard({ hosts: [], scheme });
      let names: Names | undefined;
      const server = createGuardedServer({
        guard: () => guard,
        createProblem: createHttpProblem,
        watch: (request, response) => {
          watchIdle(request, response, timeouts.idleMs);
        },
        listener: (request, response) => {
          findListener()(request, response, names!.originFor(request.headers.host));
        },
        server: {
          headersTimeout: timeouts.headMs,
          requestTimeout: 0,
          connectionsCheckingInterval: timeouts.checkMs,
          keepAliveTimeout: apiLimits.keepAliveMs,
          highWaterMark: apiLimits.readAheadBytes,
        },
        tls,
      });
      current = createServerEnding(server);
      try {
        const bound = await bind(server, address);
        names = toNames(bound.port);
        guard = createHostGuard({ hosts: names.hosts, scheme });
        return { origin: names.originFor(), port: bound.port };
      } catch (error) {
        current = undefined;
        throw error;
      }
    },
    /** Resolves when running requests have ended, after `durationMs` at most. */
    drain: async (durationMs: number): Promise<void> => current?.drain(durationMs),
    /** Idempotent. */
    async close(): Promise<void> {
      const ending = current;
      current = undefined;
      await ending?.close();
    },
  };
}

/** Cuts the connection when the client is idle while it should send or receive. The service itself has no limit. */
function watchIdle(request: IncomingMessage, response: ServerResponse, idleMs: number): void {
  const { socket } = request;
  request.setTimeout(idleMs);
  response.on("timeout", () => {
    const isOurTurn = request.complete && response.writableLength === 0 && socket.writableLength === 0;
    if (isOurTurn) socket.setTimeout(idleMs);
    else socket.destroy();
  });
}
