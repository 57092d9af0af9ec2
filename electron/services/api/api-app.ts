// The Fastify application of everything below `/client/v4`: finds a part's route, asks who wants it, reads the body, and
// turns what the part gives or throws into the envelope. Host, Origin and raw streams are the front door's business.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { METHODS, type IncomingMessage, type ServerResponse } from "node:http";
import { messageOf } from "../../../shared/app-error.ts";
import type { Log } from "../../platform/effects.ts";
import { sendAnswer } from "../http/send.ts";
import { pathOf } from "../http/target.ts";
import type { ApiPart, ApiReply, ApiRoute } from "./api-part.ts";
import { authorize } from "./authentication.ts";
import { createProblemAnswer } from "./envelope.ts";
import type { PlatformTokens } from "./platform-tokens.ts";
import { ApiRefusal, problems, toMethodProblem, toProblem, withoutSecrets } from "./api-problems.ts";
import { maxBodyBytes, parseBody } from "./request-body.ts";
import { sendReply } from "./send-reply.ts";

export const apiPrefix = "/client/v4";

/** No request line that Node takes has a longer one. */
const maxParameterLength = 16_384;

export interface ApiAppOptions {
  readonly parts: readonly ApiPart[];
  readonly tokens: Pick<PlatformTokens, "authenticate">;
  /** The one account that there is; undefined takes any `:account`. */
  readonly accountId: string | undefined;
  /** Where a request came to. */
  readonly originOf: (request: IncomingMessage) => string;
  /** Told once a request is a part's own, before its body is read. */
  readonly onAdmitted: (part: ApiPart, response: ServerResponse) => void;
  readonly log: Log;
}

type Params = Readonly<Record<string, string>>;

export function createApiApp(options: ApiAppOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    bodyLimit: maxBodyBytes,
    routerOptions: { maxParamLength: maxParameterLength },
    frameworkErrors: (error, request, reply) => {
      sendProblem(request, reply, error, undefined, options.log);
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, bytes, done) => {
    try {
      done(null, parseBody(bytes as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  for (const method of otherMethods([...app.supportedMethods])) app.addHttpMethod(method);
  const allowed = new Map<string, string[]>();
  for (const part of options.parts) {
    for (const route of part.routes) {
      const methods = methodsOf(route);
      app.route(toRouteOptions(route, methods, part, options));
      allowed.set(route.path, [...(allowed.get(route.path) ?? []), ...methods]);
    }
  }
  for (const [path, methods] of allowed) refuseOtherMethods(app, path, methods, options.log);
  app.addHook("onRequest", (request, _reply, done) => {
    done(request.is404 ? new ApiRefusal(problems.nothingHere) : undefined);
  });
  app.setErrorHandler((error, request, reply) => {
    sendProblem(request, reply, error, undefined, options.log);
  });
  return app;
}

/** HEAD works where GET does. */
function methodsOf({ method }: ApiRoute): readonly string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

function toRouteOptions(route: ApiRoute, method: readonly string[], part: ApiPart, options: ApiAppOptions) {
  const { tokens, accountId, originOf, onAdmitted, log } = options;
  const tokenIds = new WeakMap<IncomingMessage, string>();
  const respond = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { raw } = request;
    const signal = abortedWhenGone(reply);
    let answer: ApiReply;
    try {
      answer = await route.handle({
        params: request.params as Params,
        query: new URLSearchParams((raw.url ?? "").slice(pathOf(raw.url ?? "").length)),
        body: request.body,
        headers: raw.headers,
        origin: originOf(raw),
        tokenId: tokenIds.get(raw),
        signal,
      });
    } catch (error) {
      // What was given up because its client went away is nobody's fault, and nobody waits for an answer.
      if (signal.aborted && error === signal.reason) reply.raw.destroy();
      else sendProblem(request, reply, error, part, log);
      return;
    }
    try {
      await sendReply(raw, reply.raw, answer);
    } catch (error) {
      // A client that went away is no news; a stream that broke is.
      if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") {
        log("warn", `An answer broke off: ${withoutSecrets(messageOf(error))}`, { route: route.path });
      }
      reply.raw.destroy();
    }
  };
  return {
    method: [...method],
    url: apiPrefix + route.path,
    onRequest: (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
      try {
        const { raw, headers } = request;
        tokenIds.set(raw, authorize(headers.authorization, route.permission, tokens));
        const { account } = request.params as Params;
        if (account !== undefined && accountId !== undefined && account !== accountId) {
          throw new ApiRefusal(problems.accountUnknown);
        }
        onAdmitted(part, reply.raw);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    handler: (request: FastifyRequest, reply: FastifyReply): void => {
      reply.hijack();
      void respond(request, reply);
    },
  };
}

/** Every method that Node reads and that makes a request, beside these. */
function otherMethods(methods: readonly string[]): string[] {
  return METHODS.filter((method) => method !== "CONNECT" && !methods.includes(method));
}

function refuseOtherMethods(app: FastifyInstance, path: string, allowed: readonly string[], log: Log): void {
  const refusal = new ApiRefusal(toMethodProblem(allowed));
  app.route({
    method: otherMethods(allowed),
    url: apiPrefix + path,
    onRequest: (_request, _reply, done) => {
      done(refusal);
    },
    handler: (request, reply) => {
      sendProblem(request, reply, refusal, undefined, log);
    },
  });
}

function abortedWhenGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) controller.abort(new Error("The client went away."));
  });
  return controller.signal;
}

/** Takes the reply out of Fastify's hands and sends the problem, unless an answer is under way. */
function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  part: ApiPart | undefined,
  log: Log,
): void {
  const route = `${request.method} ${request.routeOptions.url ?? ""}`;
  const problem = toProblem(error, part, route, log);
  reply.hijack();
  if (reply.raw.headersSent || reply.raw.destroyed) reply.raw.destroy();
  else sendAnswer(request.raw, reply.raw, createProblemAnswer(problem));
}
