// Answers guarded requests with the routes of some parts: hands raw prefixes over whole, and for REST below
// `/client/v4` checks the token, reads the body, and puts the part's result or error into the envelope.
import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "../../../shared/app-error.ts";
import type { Log } from "../../platform/effects.ts";
import { sendAnswer } from "../http/answer.ts";
import { hasBody, parseJson, readBody } from "../http/request-body.ts";
import { createRoutes, pathOf, type Match, type Params } from "../http/routes.ts";
import { apiLimits, type ApiTimeouts } from "./api-limits.ts";
import type { ApiListener } from "./api-listening.ts";
import type { ApiPart, ApiProblem, ApiReply, ApiRoute } from "./api-part.ts";
import { ApiRefusal, problems, toHttpProblem, toProblem, withoutSecrets } from "./api-problems.ts";
import { authorize } from "./authentication.ts";
import { createHttpProblem, createProblemAnswer, sendReply } from "./envelope.ts";
import type { TokenStore } from "./token-rules.ts";

export interface ApiAppOptions {
  readonly parts: readonly ApiPart[];
  readonly tokens: Pick<TokenStore, "authenticate">;
  /** The only account; undefined accepts any `:account`. */
  readonly accountId: string | undefined;
  readonly timeouts: ApiTimeouts;
  /** Called when a request is known to be a part's, before its body is read. */
  readonly onAdmitted: (part: ApiPart, response: ServerResponse) => void;
  readonly log: Log;
}

interface PartRoute extends ApiRoute {
  readonly part: ApiPart;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly origin: string;
}

const prefix = "/client/v4";
const bodyTooSlow = createHttpProblem(408, "The request's body did not arrive in time.");

/** Throws if two parts claim the same address. */
export function createApiApp(options: ApiAppOptions): ApiListener {
  const { parts, timeouts } = options;
  const findRoute = createRoutes(
    parts.flatMap((part) =>
      part.routes.map((route): PartRoute => ({ ...route, part, path: prefix + route.path })),
    ),
  );
  return (request, response, origin) => {
    const exchange: Exchange = { request, response, origin };
    const path = pathOf(request.url!);
    const rawPart = parts.find(({ raw }) => raw !== undefined && path.startsWith(raw.prefix));
    if (rawPart !== undefined) {
      handOver(rawPart, exchange, options);
      return;
    }
    limitBodyTime(request, response, timeouts.restBodyMs);
    const match = findRoute(request.method!, path);
    if (match.kind === "route") void respond(match.route, match.params, exchange, options);
    else sendAnswer(request, response, createProblemAnswer(toRoutingProblem(match)));
  };
}

function toRoutingProblem(match: Exclude<Match<PartRoute>, { readonly kind: "route" }>): ApiProblem {
  switch (match.kind) {
    case "wrong-method":
      return { ...toHttpProblem(405, match.message), headers: { allow: match.allow } };
    case "malformed":
      return problems.pathMalformed;
    case "none":
      return problems.nothingHere;
  }
}

function handOver(
  part: ApiPart,
  { request, response, origin }: Exchange,
  { onAdmitted, log }: ApiAppOptions,
): void {
  const { prefix: rawPrefix, handle } = part.raw!;
  try {
    onAdmitted(part, response);
    handle(request, response, origin);
  } catch (error) {
    log("error", `A request failed: ${withoutSecrets(messageOf(error))}`, { route: rawPrefix });
    if (response.headersSent) response.destroy();
    else sendAnswer(request, response, createProblemAnswer(problems.unexpected));
  }
}

/** Ends the connection if a body does not arrive in time; sends 408 if no answer has begun. */
function limitBodyTime(request: IncomingMessage, response: ServerResponse, ms: number): void {
  if (!hasBody(request)) return;
  const timer = setTimeout(() => {
    if (response.headersSent) request.socket.destroy();
    else sendAnswer(request, response.setHeader("connection", "close"), bodyTooSlow);
  }, ms);
  const stop = (): void => {
    clearTimeout(timer);
  };
  request.once("end", stop).once("close", stop);
}

async function respond(
  route: PartRoute,
  params: Params,
  { request, response, origin }: Exchange,
  { tokens, accountId, onAdmitted, log }: ApiAppOptions,
): Promise<void> {
  const { url = "", headers } = request;
  const signal = abortedWhenGone(response);
  /** The part, once it may explain errors. */
  let asked: ApiPart | undefined;
  let reply: ApiReply;
  try {
    const authorized = authorize(headers.authorization, route.permission, tokens);
    const tokenId = authorized instanceof Promise ? await authorized : authorized;
    if (accountId !== undefined && (params.account ?? accountId) !== accountId) {
      throw new ApiRefusal(problems.accountUnknown);
    }
    onAdmitted(route.part, response);
    const body = await readObject(request);
    asked = route.part;
    const query = new URLSearchParams(url.slice(pathOf(url).length));
    reply = await route.handle({ params, query, body, headers, origin, tokenId, signal });
  } catch (error) {
    const isGone = error === request.errored || (signal.aborted && error === signal.reason);
    // Any other error is logged, also if the client went away meanwhile.
    const problem = isGone ? undefined : toProblem(error, asked, `${request.method} ${route.path}`, log);
    if (!problem || response.headersSent || response.destroyed) response.destroy();
    else sendAnswer(request, response, createProblemAnswer(problem));
    return;
  }
  try {
    await sendReply(request, response, reply);
  } catch (error) {
    // A client that went away is not reported; a stream that broke is.
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") {
      log("warn", `An answer broke off: ${withoutSecrets(messageOf(error))}`, { route: route.path });
    }
    response.destroy();
  }
}

const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/**
 * Returns a request's JSON object; undefined without a body. Any media type is read as JSON: a form that another site's
 * page posts carries an Origin and no token, and does not get here.
 */
async function readObject(request: IncomingMessage): Promise<unknown> {
  if (request.method === "GET" || request.method === "HEAD") return undefined;
  const type = request.headers["content-type"];
  if (type !== undefined && !mediaType.test(type)) throw new ApiRefusal(problems.typeMalformed);
  const bytes = await readBody(request, apiLimits.restBodyBytes);
  if (bytes === undefined) throw new ApiRefusal(problems.bodyTooLarge);
  if (bytes.byteLength === 0) return undefined;
  let value: unknown;
  try {
    value = parseJson(bytes);
  } catch (error) {
    throw Object.assign(new ApiRefusal(problems.bodyNotJson), { cause: error });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ApiRefusal(problems.bodyNotObject);
  }
  return value;
}

function abortedWhenGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort(new Error("The client went away."));
  });
  return controller.signal;
}
