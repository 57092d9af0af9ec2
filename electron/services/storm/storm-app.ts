// Answers guarded requests: one route for each operation of the contract and each action, the OpenAPI document, the
// feeds' health, and the viewer's files. It also says which requests may become event streams.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { messageOf } from "../../../shared/app-error.ts";
import {
  actionPathPrefix,
  feedsPath,
  hostActionNames,
  type HostActionName,
} from "../../../shared/contract/action-names.ts";
import type { FeedHealth, FeedList } from "../../../shared/contract/feed-health.ts";
import { openApiPath, toOpenApiDocument } from "../../../shared/contract/openapi.ts";
import { operations, type Operation, type OperationId } from "../../../shared/contract/operations.ts";
import type { Log } from "../../platform/effects.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { createJsonAnswer, sendAnswer, strongEtag, weakEtag, type Answer } from "../http/answer.ts";
import { createRoutes, pathOf, type Params, type Route } from "../http/routes.ts";
import { createDegradedAnswers } from "./degraded-answers.ts";
import { createPublicAnswers } from "./public-answers.ts";
import { normalizeTarget, parseInput, type Handlers } from "./request-input.ts";
import { createProblem, createTextProblem, isNews, toProblem } from "./wire-errors.ts";

export interface AppOptions {
  readonly handlers: Handlers;
  /** Returns the feeds' current health. */
  readonly feeds: () => readonly FeedHealth[] | Promise<readonly FeedHealth[]>;
  /** Answers by path. */
  readonly viewerFiles: ReadonlyMap<string, Answer>;
  readonly act: (name: HostActionName, request: IncomingMessage) => Promise<Answer>;
  readonly isPublic: boolean;
  /** True while answers may be old, because the catalog cannot be reached. */
  readonly isDegraded: () => boolean;
  readonly log: Log;
}

export interface StormApp {
  readonly listener: RequestListener;
  /** Returns the event of a request target that is a stream; undefined for any other, or a malformed event id. */
  readonly findStreamEvent: (target: string) => string | undefined;
  /** Returns the name of what a request asks for, of a fixed set: an operation, or `action`, `file`, `none` and such. */
  readonly nameOperation: (method: string, target: string) => string;
}

interface StormRoute extends Route {
  /** Name in metrics. */
  readonly name: string;
  /** Undefined for routes outside the contract. */
  readonly operation?: Operation;
  readonly answer: (params: Params, request: IncomingMessage) => Answer | Promise<Answer>;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly send: (answer: Answer) => void;
}

const nothingHere = createProblem(404, "There is nothing at this address.");
const fileMethodRefused = createProblem(405, "This address accepts GET, HEAD only.", { allow: "GET, HEAD" });

export function createApp(options: AppOptions): StormApp {
  const { viewerFiles, isPublic, isDegraded, log } = options;
  const findRoute = createRoutes(listRoutes(options));
  const toForm = isPublic ? createPublicAnswers() : (answer: Answer) => answer;
  const toMarked = createDegradedAnswers(isDegraded);
  return {
    listener(request, response) {
      const send = (answer: Answer): void => {
        sendAnswer(request, response, toForm(answer));
      };
      request.url = normalizeTarget(request.url!);
      const path = pathOf(request.url);
      const match = findRoute(request.method!, path);
      if (match.kind === "route") {
        const sendMarked = (answer: Answer): void => {
          send(match.route.operation ? toMarked(answer) : answer);
        };
        respond(match.route, match.params, { request, response, send: sendMarked }, log);
      } else if (match.kind === "wrong-method") {
        send(createProblem(405, match.message, { allow: match.allow }));
      } else {
        const file = viewerFiles.get(path) ?? nothingHere;
        const isRead = request.method === "GET" || request.method === "HEAD" || file === nothingHere;
        send(isRead ? file : fileMethodRefused);
      }
    },
    findStreamEvent(target) {
      const match = findRoute("GET", pathOf(normalizeTarget(target)));
      if (match.kind !== "route" || match.route.operation !== operations.openStream) return undefined;
      const { eventId } = match.params;
      return operations.openStream.pathParameters.eventId.safeParse(eventId).success ? eventId : undefined;
    },
    nameOperation(method, target) {
      const path = pathOf(normalizeTarget(target));
      const match = findRoute(method, path);
      if (match.kind === "route") return match.route.name;
      return match.kind === "none" && viewerFiles.has(path) ? "file" : "none";
    },
  };
}

/** Sends an answer in the same turn of the event loop if it needs no waiting. */
function respond(route: StormRoute, params: Params, exchange: Exchange, log: Log): void {
  const { request, response, send } = exchange;
  const fail = (error: unknown): void => {
    // The client went away during the body: nobody waits for an answer.
    if (error === request.errored) response.destroy();
    else send(toAnswer(error, route, log));
  };
  try {
    const answer = route.answer(params, request);
    if (answer instanceof Promise) answer.then(send, fail);
    else send(answer);
  } catch (error) {
    fail(error);
  }
}

/** Operations that a service of the public lacks. */
const notPublic: ReadonlySet<OperationId> = new Set([
  "openStream",
  "getSteps",
  "getSource",
  "listOverlays",
  "getOverlayFile",
]);

function listRoutes({ handlers, feeds, act, isPublic }: AppOptions): StormRoute[] {
  const document = toOpenApiDocument();
  const openApi = createJsonAnswer(document, { etag: strongEtag(sha256Of(JSON.stringify(document))) });
  const ids = Object.keys(operations) as OperationId[];
  const openApiRoute: StormRoute = {
    method: "GET",
    name: "openapi",
    path: openApiPath,
    answer: () => openApi,
  };
  if (isPublic) {
    return [...ids.filter((id) => !notPublic.has(id)).map((id) => toRoute(id, handlers)), openApiRoute];
  }
  return [
    ...ids.map((id) => toRoute(id, handlers)),
    ...hostActionNames.map((name): StormRoute => ({
      method: "POST",
      name: "action",
      path: actionPathPrefix + name,
      answer: (_params, request) => act(name, request),
    })),
    { method: "GET", name: "feeds", path: feedsPath, answer: async () => toFeedList(await feeds()) },
    openApiRoute,
  ];
}

function toFeedList(feeds: readonly FeedHealth[]): Answer {
  const list: FeedList = { feeds: [...feeds] };
  return createJsonAnswer(list, { etag: weakEtag(sha256Of(JSON.stringify(list))) });
}

function toRoute(id: OperationId, handlers: Handlers): StormRoute {
  const handle = handlers[id] as (input: unknown) => Answer | Promise<Answer>;
  return {
    method: "GET",
    name: id,
    path: operations[id].path.replaceAll(/\{(\w+)\}/g, ":$1"),
    operation: operations[id],
    answer: (params, request) => handle(parseInput(id, params, request.url!)),
  };
}

/** Returns the answer for a thrown value: JSON, or plain text where the operation's contract says so. */
function toAnswer(error: unknown, { path, operation }: StormRoute, log: Log): Answer {
  if (isNews(error)) {
    const cause = error instanceof Error ? error.cause : undefined;
    log("error", `A request failed: ${messageOf(error)}`, { path: operation?.path ?? path, cause });
  }
  const problem = toProblem(error);
  if (operation?.responses[problem.status]?.content?.type !== "text/plain") return problem;
  return createTextProblem(problem.status, messageOf(error));
}
