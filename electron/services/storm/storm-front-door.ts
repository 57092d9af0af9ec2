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
import type { HostActionName } from "../../../shared/contract/action-names.ts";
import { createProblem } from "./wire-errors.ts";
import type { Guard } from "../http/host-guard.ts";
import { findAction, findOperation, findStreamEventId } from "./paths.ts";
import { normalizeTarget } from "./request-input.ts";
import { createMalformedHandler } from "../http/malformed.ts";
import { endWithAnswer, sendAnswer } from "../http/send.ts";
import { pathOf, toOriginForm } from "../http/target.ts";

const methodRefused = createProblem(405, "This service is read with GET or HEAD only.", {
  allow: "GET, HEAD",
});
const actionMethodRefused = createProblem(405, "An action is asked for with POST.", { allow: "POST" });
const nothingHere = createProblem(404, "There is nothing at this address.");
const targetMalformed = createProblem(400, "The request target is not a path of this service.");

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
  const malformed = createMalformedHandler(createProblem);
  const onRequest: RequestListener = (request, response) => {
    malformed.noteAnswer(request.socket, response);
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
  server.on("clientError", malformed.refuse);
  return server;
}

/** What a request is refused with. Leaves the request's target in origin form, its path normalised. */
function findRefusal(request: IncomingMessage, guard: Guard, isFile: (path: string) => boolean) {
  const target = toOriginForm(request.url ?? "", "http", guard);
  const refusal = guard.judge({ method: request.method, url: target, headers: request.headers });
  if (refusal) return createProblem(refusal.status, refusal.message);
  if (target === undefined) return targetMalformed;
  request.url = normalizeTarget(target);
  const path = pathOf(request.url);
  if (findAction(path) !== undefined) return request.method === "POST" ? undefined : actionMethodRefused;
  if (request.method === "GET" || request.method === "HEAD") return undefined;
  return findOperation(path) !== undefined || isFile(path) ? methodRefused : nothingHere;
}

/** The event of a request that asks, and is allowed, to become a stream. */
function findAllowedStream(request: IncomingMessage, guard: Guard): string | undefined {
  if (request.method !== "GET" || request.headers.upgrade?.toLowerCase() !== "websocket") return undefined;
  if (guard.judge(request)) return undefined;
  return findStreamEventId(normalizeTarget(pathOf(request.url ?? "")));
}
