// The HTTP server in front of the application: it judges who asks, settles methods and odd request targets, and decides
// which requests may become WebSockets. Everything it refuses is answered here, in the contract's error form.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import type { HostActionName } from "../../shared/contract/action-names.ts";
import { createProblem } from "./errors.ts";
import type { Guard } from "./guard.ts";
import { findAction, findOperation, findStreamEventId } from "./paths.ts";
import { normalizeTarget, pathOf } from "./request-input.ts";
import { endWithAnswer, sendAnswer } from "./send.ts";

const methodRefused = createProblem(405, "This service is read with GET or HEAD only.", {
  allow: "GET, HEAD",
});
const actionMethodRefused = createProblem(405, "An action is asked for with POST.", { allow: "POST" });
const nothingHere = createProblem(404, "There is nothing at this address.");
const targetMalformed = createProblem(400, "The request target is not a path of this service.");
const requestMalformed = createProblem(400, "This is not a well-formed HTTP request.");
const headersTooLarge = createProblem(431, "The request's headers are too large.");
const requestTooSlow = createProblem(408, "The request did not arrive in time.");

export interface FrontDoorOptions {
  /** Read at each request: the hosts are known once the server is bound. */
  readonly guard: () => Guard;
  /** Whether a path outside the table of operations exists: the viewer's files, the contract's own document. */
  readonly isFile: (path: string) => boolean;
  /** Takes over a socket whose request was allowed to become a stream. */
  readonly openStream: (eventId: string, request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Answers an action, body and all. */
  readonly act: (name: HostActionName, request: IncomingMessage, response: ServerResponse) => void;
  /** Answers every other request that passes. */
  readonly listener: RequestListener;
}

export function createFrontDoor({ guard, isFile, openStream, act, listener }: FrontDoorOptions): Server {
  const answering = new WeakMap<Duplex, ServerResponse>();
  const onRequest: RequestListener = (request, response) => {
    answering.set(request.socket, response);
    const refusal = findRefusal(request, guard(), isFile);
    const action = refusal ? undefined : findAction(pathOf(request.url!));
    if (refusal) sendAnswer(request, response, refusal);
    else if (action) act(action, request, response);
    else listener(request, response);
  };
  const server = createServer(
    {
      // A missing Host is the guard's to refuse, and a doubled one must not pass as its first half.
      requireHostHeader: false,
      joinDuplicateHeaders: true,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: 65_000,
      // What may not become a stream is an ordinary request and gets an ordinary answer: the specification's 400 and
      // 426, the guard's refusals, and plain data for a client that merely offers another protocol.
      shouldUpgradeCallback: (request) => findAllowedStream(request, guard()) !== undefined,
    },
    onRequest,
  );
  // Only an action reads a body; for anything else there is nothing to wait for and no expectation to meet.
  server.on("checkContinue", (request, response) => {
    if (request.method === "POST" && findAction(pathOf(request.url ?? "")) !== undefined) {
      response.writeContinue();
    }
    onRequest(request, response);
  });
  server.on("checkExpectation", onRequest);
  server.on("connect", (_request, socket) => {
    endWithAnswer(socket, methodRefused);
  });
  server.on("upgrade", (request, socket, head) => {
    openStream(findAllowedStream(request, guard())!, request, socket, head);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    refuseMalformed(error, socket, answering.get(socket));
  });
  return server;
}

/** What a request is refused with. Leaves the request's target in origin form, its path normalised. */
function findRefusal(request: IncomingMessage, guard: Guard, isFile: (path: string) => boolean) {
  const target = toOriginForm(request.url ?? "", guard);
  const refusal = guard.judge({ method: request.method, url: target, headers: request.headers });
  if (refusal) return createProblem(refusal.status, refusal.message);
  if (target === undefined) return targetMalformed;
  request.url = normalizeTarget(target);
  const path = pathOf(request.url);
  if (findAction(path) !== undefined) return request.method === "POST" ? undefined : actionMethodRefused;
  if (request.method === "GET" || request.method === "HEAD") return undefined;
  return findOperation(path) !== undefined || isFile(path) ? methodRefused : nothingHere;
}

/** The path and query of a request target; undefined for what names neither (`*`, another host's URL). */
function toOriginForm(target: string, guard: Guard): string | undefined {
  if (target.startsWith("/")) return target;
  const absolute = /^http:\/\/([^/?#]+)(\/.*)?$/i.exec(target);
  return absolute && guard.answersTo(absolute[1]!) ? (absolute[2] ?? "/") : undefined;
}

/** The event of a request that asks, and is allowed, to become a stream. */
function findAllowedStream(request: IncomingMessage, guard: Guard): string | undefined {
  if (request.method !== "GET" || request.headers.upgrade?.toLowerCase() !== "websocket") return undefined;
  if (guard.judge(request)) return undefined;
  return findStreamEventId(normalizeTarget(pathOf(request.url ?? "")));
}

function refuseMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  response: ServerResponse | undefined,
): void {
  // An answer that is under way owns the socket: a second head in its middle would be read as its body. One that waits
  // for its turn has no socket yet, because an earlier one has it.
  const isTaken =
    response && !response.writableFinished && (response.headersSent || response.socket !== socket);
  if (!socket.writable || error.code === "ECONNRESET" || isTaken) {
    socket.destroy();
    return;
  }
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      endWithAnswer(socket, headersTooLarge);
      return;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      endWithAnswer(socket, requestTooSlow);
      return;
    default:
      endWithAnswer(socket, requestMalformed);
  }
}
