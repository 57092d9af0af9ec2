// The HTTP server of every listener, plain or TLS. No visitor takes all of it: connections are limited for each
// address, and requests for each connection. It refuses CONNECT and bytes that are not HTTP.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { endWithAnswer, type Answer, type Headers } from "./answer.ts";
import { FairShare } from "./fair-share.ts";
import { connectionLimits } from "./http-limits.ts";
import { createMalformedHandler } from "./malformed.ts";
import { createTurns } from "./turns.ts";

export interface TlsIdentity {
  readonly certificatePem: string;
  readonly keyPem: string;
}

export interface LimitedServerOptions {
  readonly server: ServerOptions;
  /** Makes the server one of TLS, 1.2 or later. */
  readonly tls?: TlsIdentity | undefined;
  /** Gives each refusal the service's own form. */
  readonly createProblem: (status: number, message: string, headers?: Headers) => Answer;
  /** Answer to CONNECT. */
  readonly tunnelRefused: Answer;
  /** Returns true for an address that many visitors share. */
  readonly isProxy: (address: string) => boolean;
  /** Gets the requests of each connection in turn. */
  readonly onRequest: RequestListener;
  /** Gets requests with "Expect: 100-continue" in turn; default `onRequest`. */
  readonly onContinue?: RequestListener;
  /** Gets requests with any other Expect in turn. */
  readonly onExpectation: RequestListener;
  /** Adopts the sockets of upgrades; omit for a service without them. */
  readonly upgrades?: Upgrades | undefined;
}

export interface Upgrades {
  /** Any other upgrade becomes an ordinary request. */
  readonly isAllowed: (request: IncomingMessage) => boolean;
  /** The socket no longer counts as a connection of its address. */
  readonly adopt: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

export const shareTakenMessage =
  "Your address has too many connections or requests open; try again in a few seconds.";
/** Seconds, as in `Retry-After`. */
export const shareRetryAfter = "5";

export function createLimitedServer(options: LimitedServerOptions): Server {
  const {
    createProblem,
    tunnelRefused,
    onRequest,
    onContinue = onRequest,
    onExpectation,
    upgrades,
  } = options;
  const malformed = createMalformedHandler(createProblem);
  const { Request, isFull, inTurn } = createTurns();
  const take = (listener: RequestListener): RequestListener => {
    const listenInTurn = inTurn(listener);
    return (request, response) => {
      malformed.noteAnswer(request.socket, response);
      listenInTurn(request, response);
    };
  };
  const server = createPlainOrTlsServer(options, {
    IncomingMessage: Request,
    shouldUpgradeCallback(request) {
      const { socket } = request;
      if (!isFull(socket)) return upgrades?.isAllowed(request) === true;
      connections.close(socket);
      return true;
    },
  });
  const connections = shareConnections(server, options);
  server.on("request", take(onRequest));
  server.on("checkContinue", take(onContinue));
  server.on("checkExpectation", take(onExpectation));
  server.on("connect", (_request, socket) => {
    endWithAnswer(socket, tunnelRefused);
  });
  const streams = new FairShare({
    mostOf: (address) => (options.isProxy(address) ? Infinity : connectionLimits.streamsPerAddress),
  });
  server.on("upgrade", (request, socket, head) => {
    const address = addressOf(request.socket);
    if (!streams.take(address)) {
      endWithAnswer(socket, createProblem(503, shareTakenMessage, { "retry-after": shareRetryAfter }));
      return;
    }
    socket.once("close", () => {
      streams.release(address);
    });
    connections.release(socket);
    upgrades?.adopt(request, socket, head);
  });
  server.on("clientError", malformed.refuse);
  return server;
}

function createPlainOrTlsServer({ server, tls }: LimitedServerOptions, more: ServerOptions): Server {
  // The listeners refuse a missing Host themselves, for HTTP/1.0 too.
  const options: ServerOptions = { ...server, ...more, requireHostHeader: false };
  if (tls === undefined) return createServer(options);
  return createTlsServer({
    ...options,
    cert: tls.certificatePem,
    key: tls.keyPem,
    minVersion: "TLSv1.2",
    ...(server.headersTimeout !== undefined && { handshakeTimeout: server.headersTimeout }),
  });
}

interface Connections {
  /** Stops counting a socket that is still open. */
  readonly release: (socket: Duplex) => void;
  /** Closes a socket, and counts it for a while yet. */
  readonly close: (socket: Socket) => void;
}

/** Refuses a connection of an address that already has its share, before anything of it is read. */
function shareConnections(
  server: Server,
  { tls, isProxy, createProblem }: LimitedServerOptions,
): Connections {
  const { total, perAddress, perProxy, heldMs } = connectionLimits;
  const share = new FairShare({
    mostOf: (address) => (isProxy(address) ? perProxy : perAddress),
    total,
  });
  const refusal = createProblem(503, shareTakenMessage, { "retry-after": shareRetryAfter });
  const counted = new WeakMap<Duplex, string>();
  const release = (socket: Duplex): void => {
    const address = counted.get(socket);
    if (address === undefined) return;
    counted.delete(socket);
    share.release(address);
  };
  const refuse = (socket: Socket): void => {
    socket.on("error", () => {
      // It is being closed anyway.
    });
    if (tls) socket.destroy();
    else endWithAnswer(socket, refusal);
  };
  // Node's own listeners begin to read, or to shake hands.
  const serve = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const address = addressOf(socket);
    if (!share.take(address)) {
      refuse(socket);
      return;
    }
    counted.set(socket, address);
    socket.once("close", () => {
      release(socket);
    });
    for (const listener of serve) listener.call(server, socket);
  });
  return {
    release,
    close(socket) {
      const address = addressOf(socket);
      socket.destroy();
      share.add(address);
      const timer = setTimeout(() => {
        share.release(address);
      }, heldMs);
      timer.unref();
    },
  };
}

function addressOf({ remoteAddress = "" }: Socket): string {
  return remoteAddress;
}
