// Runs actions over HTTP: `POST /app/ACTION` with a JSON body and the run's token. The guard has checked Host and
// Origin; a page or program without the token can only read.
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { HostActionName } from "../../../../shared/contract/action-names.ts";
import type { Dispatch, Problem } from "../../../../shared/contract/actions.ts";
import { cacheRules, createJsonAnswer, type Answer } from "../../http/answer.ts";
import { createProblem } from "../wire-errors.ts";
import { bearerToken } from "../../http/bearer-token.ts";
import { parseJson, readBody } from "../../http/request-body.ts";
import { maxActionBytes } from "../storm-limits.ts";

export interface ActionOptions {
  readonly dispatch: Dispatch;
  /** Token that a request must carry as `Authorization: Bearer TOKEN`; undefined makes the service read-only. */
  readonly token: string | undefined;
}

export type RunAction = (name: HostActionName, request: IncomingMessage) => Promise<Answer>;

const readOnly = createProblem(
  403,
  "This Echotop is read-only here: it was started without a token for actions.",
);
const challenge = { "www-authenticate": "Bearer" };
const tokenMissing = createProblem(401, "This needs the token of this run of Echotop.", challenge);
const tokenWrong = createProblem(401, "The token does not belong to this run of Echotop.", challenge);
const notJson = createProblem(400, "The request's body is not JSON.");
const typeRefused = createProblem(415, "The input of an action must be sent as application/json.");
// The rest of the body is not read, so the connection cannot be reused.
const tooLarge = (byteLimit: number): Answer =>
  createProblem(413, `The input of this action must not exceed ${byteLimit} bytes.`, { connection: "close" });

/** Returns the function that runs an action; without a token, it refuses every one. Throws if the connection ends. */
export function createActions(options: ActionOptions | undefined): RunAction {
  if (options?.token === undefined) return () => Promise.resolve(readOnly);
  const { dispatch, token } = options;
  const expected = digest(token);
  return async (name, request) => {
    const refusal = findRefusal(request, expected);
    if (refusal) return refusal;
    const byteLimit = maxActionBytes(name);
    const body = await readBody(request, byteLimit);
    if (body === undefined) return tooLarge(byteLimit);
    let input: unknown;
    try {
      input = parseJson(body);
    } catch {
      return notJson;
    }
    const outcome = await dispatch(name, input);
    return "ok" in outcome
      ? createJsonAnswer(outcome.ok, { cache: cacheRules.none })
      : createProblem(statuses[outcome.problem.code], outcome.problem.detail);
  };
}

function findRefusal({ headers }: IncomingMessage, expected: Buffer): Answer | undefined {
  const given = bearerToken(headers.authorization);
  if (given === undefined) return tokenMissing;
  // Equal lengths and constant time: the duration does not reveal how much matched.
  if (!timingSafeEqual(digest(given), expected)) return tokenWrong;
  const isPlainJson = isJson(headers["content-type"]) && headers["content-encoding"] === undefined;
  return isPlainJson ? undefined : typeRefused;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function isJson(type: string | undefined): boolean {
  return /^application\/json *(?:; *charset="?utf-8"?)?$/i.test(type ?? "");
}

/** Statuses of actions' problems, some of which reading never has. The sentence is the action's own. */
const statuses: Readonly<Record<Problem["code"], number>> = {
  "invalid-input": 400,
  "not-found": 404,
  conflict: 409,
  "steps-changed": 412,
  refused: 403,
  "source-invalid": 422,
  "stored-data-invalid": 502,
  "frame-missing": 503,
  "storage-failed": 507,
  "storage-unavailable": 503,
  "upstream-rate-limited": 503,
  "upstream-unavailable": 502,
  "address-in-use": 500,
  unexpected: 500,
};
