// The refusals of the API service itself, and the problems of errors that parts throw.
import { isAppError, messageOf } from "../../../shared/app-error.ts";
import type { Log } from "../../platform/effects.ts";
import type { ApiPart, ApiProblem } from "./api-part.ts";

/** Error codes of the envelope; parts have their own. */
export const apiCodes = {
  authentication: 10_000,
  invalidInput: 10_100,
  notFound: 10_200,
  internal: 10_400,
} as const;

/** A refused request. */
export class ApiRefusal extends Error {
  override readonly name = "ApiRefusal";
  readonly problem: ApiProblem;

  constructor(problem: ApiProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

const challenge = { "www-authenticate": 'Bearer realm="Echotop"' };
const { authentication, invalidInput, notFound, internal } = apiCodes;

export const problems = {
  nothingHere: { status: 404, code: notFound, message: "There is nothing at this address." },
  accountUnknown: { status: 404, code: notFound, message: "There is no such account." },
  pathMalformed: { status: 400, code: invalidInput, message: "The path's percent-encoding is not valid." },
  tokenMissing: {
    status: 401,
    code: authentication,
    message: "This address needs a platform token, sent as Authorization: Bearer.",
    headers: challenge,
  },
  tokenWrong: {
    status: 401,
    code: authentication,
    message: "The platform token is not valid.",
    headers: { "www-authenticate": `${challenge["www-authenticate"]}, error="invalid_token"` },
  },
  typeMalformed: { status: 415, code: invalidInput, message: "The Content-Type is not a media type." },
  bodyTooLarge: { status: 413, code: invalidInput, message: "The request's body is longer than 64 KiB." },
  bodyNotJson: { status: 400, code: invalidInput, message: "The request's body is not JSON in UTF-8." },
  bodyNotObject: { status: 400, code: invalidInput, message: "The request's body is not a JSON object." },
  unexpected: {
    status: 500,
    code: internal,
    message: "Something went wrong in the service; its log says what.",
  },
  unavailable: {
    status: 503,
    code: internal,
    message: "The database of the service cannot be reached at the moment.",
    headers: { "retry-after": "5" },
  },
} as const satisfies Record<string, ApiProblem>;

/** Returns the problem of a refusal that is about HTTP itself. */
export function toHttpProblem(status: number, message: string): ApiProblem {
  return { status, code: status === 403 || status === 421 ? authentication : invalidInput, message };
}

/** Returns the problem of an error; logs one that is unknown. */
export function toProblem(error: unknown, part: ApiPart | undefined, where: string, log: Log): ApiProblem {
  if (error instanceof ApiRefusal) return error.problem;
  const known = part?.toProblem(error);
  if (known) return known;
  if (isAppError(error, "storage-unavailable")) return problems.unavailable;
  const cause = error instanceof Error ? error.cause : undefined;
  log("error", `A request failed: ${withoutSecrets(messageOf(error))}`, {
    route: where,
    ...(cause !== undefined && { cause: withoutSecrets(messageOf(cause)) }),
  });
  return problems.unexpected;
}

const secrets = /\b(art_v\d+_|ept_)[^\s"']+|(:\/\/)[^\s/@"']+@|\b(Bearer|Basic)\s+[^\s"']+/gi;

/** Returns a sentence for the log without tokens and credentials. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(secrets, (_all, token = "", url = "", scheme = "") => `${token}${url}${scheme}…`);
}
