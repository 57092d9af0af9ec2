// The HTTP server in front of the application: it judges who asks, hands raw streams to their part before any
// authentication, keeps time, and answers in the envelope what never became a request.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import { messageOf } from "../../../shared/app-error.ts";
import type { Log } from "../../platform/effects.ts";
import type { Answer } from "../http/answer.ts";
import type { Guard, Scheme } from "../http/host-guard.ts";
import { createMalformedHandler } from "../http/malformed.ts";
import { endWithAnswer, sendAnswer } from "../http/send.ts";
import { pathOf, toOriginForm } from "../http/target.ts";
import { createProblemAnswer } from "./envelope.ts";
import type { Offer, RawDoor } from "./offer.ts";
import { limitBody, watchIdle, type Patience } from "./patience.ts";
import { problems, toHttpProblem, withoutSecrets } from "./api-problems.ts";

export interface TlsIdentity {
  readonly certificatePem: string;
  readonly keyPem: string;
}

export interface FrontDoorOptions {
  /** Read at each request: the hosts are known once the server is bound. */
  readonly guard: () => Guard;
  /** Where a request that passed the guard came to; asked once for each. */
  readonly originOf: (request: IncomingMessage) => string;
  /** Answers every request that passes; asked at each, since parts come and go. */
  readonly offer: () => Offer;
  readonly patience: Patience;
  readonly log: Log;
  /** Makes the listener one of TLS, 1.2 at least. */
  readonly tls?: TlsIdentity;
}

const maxConnections = 1000;
/** Bytes of a body that are read ahead: packs come in large pieces, and a wait between two costs more than they do. */
const highWaterMark = 256 * 1024;

const toAnswer = (status: number, message: string): Answer =>
  createProblemAnswer(toHttpProblem(status, message));

const targetMalformed = createProblemAnswer(problems.targetMalformed);
const unexpected = createProblemAnswer(problems.unexpected);
const connectRefused = toAnswer(405, "This service is no proxy.");
const bodyTooSlow = toAnswer(408, "The request's body did not arrive in time.");

export function createFrontDoor(options: FrontDoorOptions): Server {
  const malformed = createMalformedHandler(toAnswer);
  const onRequest: RequestListener = (request, response) => {
    malformed.noteAnswer(request.socket, response);
    admit(request, response, options);
  };
  const server = createAnyServer(options, onRequest);
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

function createAnyServer({ patience, tls }: FrontDoorOptions, onRequest: RequestListener): Server {
  const options = {
    // A missing Host is the guard's to refuse, and a doubled one must not pass as its first half.
    requireHostHeader: false,
    joinDuplicateHeaders: true,
    headersTimeout: patience.headMs,
    requestTimeout: 0,
    connectionsCheckingInterval: patience.checkMs,
    keepAliveTimeout: 65_000,
    highWaterMark,
  };
  if (tls === undefined) return limited(createServer(options, onRequest));
  const identity = { cert: tls.certificatePem, key: tls.keyPem, minVersion: "TLSv1.2" } as const;
  return limited(createTlsServer({ ...options, ...identity, handshakeTimeout: patience.headMs }, onRequest));
}

/** What waits in front of a busy part is bounded: connections, and the bytes of each. */
function limited(server: Server): Server {
  server.maxConnections = maxConnections;
  return server;
}

function admit(request: IncomingMessage, response: ServerResponse, options: FrontDoorOptions): void {
  const { guard, originOf, patience } = options;
  const offer = options.offer();
  const judge = guard();
  watchIdle(request, response, patience.idleMs);
  const refusal = judge.judge(request);
  if (refusal) {
    sendAnswer(request, response, toAnswer(refusal.status, refusal.message));
    return;
  }
  const scheme: Scheme = options.tls === undefined ? "http" : "https";
  const target = toOriginForm(request.url ?? "", scheme, judge);
  if (target === undefined) {
    sendAnswer(request, response, targetMalformed);
    return;
  }
  request.url = target;
  const origin = originOf(request);
  const path = pathOf(target);
  const door = offer.findDoor(path);
  if (door !== undefined) {
    handOver(door, request, response, origin, options.log);
    return;
  }
  limitBody(request, patience.restBodyMs, () => {
    if (response.headersSent) request.socket.destroy();
    else sendAnswer(request, response.setHeader("connection", "close"), bodyTooSlow);
  });
  offer.listener(request, response);
}

function handOver(
  { prefix, handle }: RawDoor,
  request: IncomingMessage,
  response: ServerResponse,
  origin: string,
  log: Log,
): void {
  try {
    handle(request, response, origin);
  } catch (error) {
    log("error", `A request failed: ${withoutSecrets(messageOf(error))}`, { route: prefix });
    if (response.headersSent) response.destroy();
    else sendAnswer(request, response, unexpected);
  }
}

/**
 * Says "100 Continue" when somebody begins to read the body, and not before: a client that is refused need not send it.
 * The connection of one that did not hear it ends with the answer, because what it sends next may be that body or not.
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
