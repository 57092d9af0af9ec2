// The Fastify application: one route an operation of the contract, the OpenAPI document, the feeds' health, and the viewer's
// files. Guard, methods, odd request targets and actions are the front door's business; what arrives here has passed it.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { RequestListener, Server, ServerResponse } from "node:http";
import { messageOf } from "../../../shared/app-error.ts";
import { feedsPath } from "../../../shared/contract/action-names.ts";
import { openApiPath, toOpenApiDocument } from "../../../shared/contract/openapi.ts";
import { operations, type Operation, type OperationId } from "../../../shared/contract/operations.ts";
import type { Log } from "../../platform/effects.ts";
import { createJsonAnswer, sha256, strongEtag, type Answer } from "../http/answer.ts";
import { createProblem, createTextProblem, isNews, toProblem } from "./wire-errors.ts";
import type { Handlers } from "./handlers.ts";
import { operationIds, toRoute } from "./paths.ts";
import { parseInput } from "./request-input.ts";
import { sendAnswer } from "../http/send.ts";
import { pathOf } from "../http/target.ts";

/** No request line that Node takes has a longer one: 16 KiB of per cent signs, each made literal. */
const maxParameterLength = 3 * 16_384;

const readMethods = ["GET", "HEAD"];

export interface AppOptions {
  readonly handlers: Handlers;
  readonly feeds: () => Answer;
  readonly viewerFiles: ReadonlyMap<string, Answer>;
  readonly log: Log;
  /** Makes the HTTP server around the application's request listener. */
  readonly createServer: (listener: RequestListener) => Server;
}

export function createApp({ handlers, feeds, viewerFiles, log, createServer }: AppOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: maxParameterLength },
    serverFactory: (listener) => createServer(listener),
    // The front door answers malformed HTTP itself; Fastify's own answer would come second.
    clientErrorHandler: () => undefined,
  });
  for (const id of operationIds) {
    app.route({ method: readMethods, url: toRoute(id), handler: createRouteHandler(id, handlers, log) });
  }
  app.route({
    method: readMethods,
    url: feedsPath,
    handler: (request, reply) => send(request, reply, feeds()),
  });
  const openApi = createOpenApiAnswer();
  app.route({
    method: readMethods,
    url: openApiPath,
    handler: (request, reply) => send(request, reply, openApi),
  });
  app.setNotFoundHandler((request, reply) =>
    send(request, reply, viewerFiles.get(pathOf(request.raw.url ?? "")) ?? nothingHere),
  );
  app.setErrorHandler((error, request, reply) => send(request, reply, toAnswer(error, undefined, log)));
  return app;
}

const nothingHere = createProblem(404, "There is nothing at this address.");

function createOpenApiAnswer(): Answer {
  const document = toOpenApiDocument();
  return createJsonAnswer(document, { etag: strongEtag(sha256(JSON.stringify(document))) });
}

/** Takes the reply out of Fastify's hands: an answer is ready-made, headers included, and is sent as it is. */
function createRouteHandler(id: OperationId, handlers: Handlers, log: Log) {
  const answerTo = handlers[id] as (input: unknown) => Answer | Promise<Answer>;
  const respond = async ({ raw, params }: FastifyRequest, response: ServerResponse): Promise<void> => {
    let answer: Answer;
    try {
      answer = await answerTo(parseInput(id, params as Readonly<Record<string, string>>, raw.url ?? ""));
    } catch (error) {
      answer = toAnswer(error, operations[id], log);
    }
    sendAnswer(raw, response, answer);
  };
  return (request: FastifyRequest, reply: FastifyReply): void => {
    reply.hijack();
    void respond(request, reply.raw);
  };
}

/** The answer for a thrown value: JSON, or plain text where the operation's contract says so. */
function toAnswer(error: unknown, operation: Operation | undefined, log: Log): Answer {
  if (isNews(error)) {
    const cause = error instanceof Error ? error.cause : undefined;
    log("error", `A request failed: ${messageOf(error)}`, { path: operation?.path, cause });
  }
  const problem = toProblem(error);
  if (operation?.responses[problem.status]?.content?.type !== "text/plain") return problem;
  return createTextProblem(problem.status, messageOf(error));
}

function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  reply.hijack();
  sendAnswer(request.raw, reply.raw, answer);
  return reply;
}
