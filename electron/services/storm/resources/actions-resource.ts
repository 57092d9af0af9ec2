// The browser's carrier of the actions: `POST /app/ACTION` with a JSON body, for whoever holds the run's token. The guard
// has judged Host and Origin before; a page without the token, like a program without it, may look and nothing else.
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "../../../../shared/app-error.ts";
import type { HostActionName } from "../../../../shared/contract/action-names.ts";
import type { Dispatch, Problem } from "../../../../shared/contract/actions.ts";
import type { Log } from "../../../platform/effects.ts";
import { cacheRules, createJsonAnswer, type Answer } from "../../http/answer.ts";
import { createProblem } from "../wire-errors.ts";
import { sendAnswer } from "../../http/send.ts";

export interface ActionOptions {
  readonly dispatch: Dispatch;
  /** What a request must carry as `Authorization: Bearer TOKEN`; undefined makes the service read-only. */
  readonly token: string | undefined;
}

export type ActionListener = (
  name: HostActionName,
  request: IncomingMessage,
  response: ServerResponse,
) => void;

/** No input of an action is near this. */
export const maxBodyBytes = 16_384;

const readOnly = createProblem(
  403,
  "This Echotop is read-only here: it was started without a token for actions.",
);
const challenge = { "www-authenticate": "Bearer" };
const tokenMissing = createProblem(401, "This needs the token of this run of Echotop.", challenge);
const tokenWrong = createProblem(401, "The token is not that of this run of Echotop.", challenge);
const notJson = createProblem(400, "The request's body is not JSON.");
const typeRefused = createProblem(415, "An action's input is sent as application/json.");
// What is left of the body is not read, so the connection cannot be used again.
const tooLarge = createProblem(413, `An action's input is at most ${maxBodyBytes} bytes long.`, {
  connection: "close",
});

/** Without options, or without a token, every action is refused. */
export function createActions(options: ActionOptions | undefined, log: Log): ActionListener {
  const answerTo =
    options?.token === undefined ? undefined : createAnswering(options.dispatch, options.token);
  return (name, request, response) => {
    if (answerTo === undefined) {
      sendAnswer(request, response, readOnly);
      return;
    }
    answerTo(name, request).then(
      (answer) => {
        sendAnswer(request, response, answer);
      },
      (error: unknown) => {
        // The connection ended amid the body: there is nobody left to be answered.
        log("info", `An action was given up: ${messageOf(error)}`, { action: name });
        response.destroy();
      },
    );
  };
}

/** Throws only what the connection throws. */
function createAnswering(dispatch: Dispatch, token: string) {
  const expected = digest(token);
  return async (name: HostActionName, request: IncomingMessage): Promise<Answer> => {
    const refusal = findRefusal(request, expected);
    if (refusal) return refusal;
    const body = await readBody(request);
    if (body === undefined) return tooLarge;
    const input = parseJson(body);
    if (input === undefined) return notJson;
    const outcome = await dispatch(name, input.value);
    return "ok" in outcome
      ? createJsonAnswer(outcome.ok, { cache: cacheRules.none })
      : createProblem(statuses[outcome.problem.code], outcome.problem.detail);
  };
}

function findRefusal({ headers }: IncomingMessage, expected: Buffer): Answer | undefined {
  const given = /^Bearer +([\w\-.~+/]+=*)$/i.exec(headers.authorization ?? "")?.[1];
  if (given === undefined) return tokenMissing;
  // Of equal length and compared in constant time: how long it takes says nothing of how much was right.
  if (!timingSafeEqual(digest(given), expected)) return tokenWrong;
  if (!isJson(headers["content-type"]) || headers["content-encoding"] !== undefined) return typeRefused;
  return Number(headers["content-length"] ?? 0) > maxBodyBytes ? tooLarge : undefined;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function isJson(type: string | undefined): boolean {
  return /^application\/json *(?:; *charset="?utf-8"?)?$/i.test(type ?? "");
}

/** The whole body, or undefined when it is longer than an input may be. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let byteLength = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    byteLength += chunk.byteLength;
    if (byteLength > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Undefined when it is not JSON in UTF-8. */
function parseJson(body: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) };
  } catch {
    // Absence is the answer; the client is told in `notJson`.
    return undefined;
  }
}

/** An action may be refused for what a reading never meets; the sentence is the action's own. */
const statuses: Readonly<Record<Problem["code"], number>> = {
  "invalid-input": 400,
  "not-found": 404,
  conflict: 409,
  refused: 403,
  "source-invalid": 422,
  "stored-data-invalid": 502,
  "frame-missing": 503,
  "storage-failed": 507,
  "upstream-rate-limited": 503,
  "upstream-unavailable": 502,
  "address-in-use": 500,
  unexpected: 500,
};
