// The v4 envelope, the form of every answer of the control plane that is not raw bytes; and sending a part's reply.
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  cacheRules,
  createAnswer,
  createJsonAnswer,
  isCurrent,
  sendAnswer,
  type Answer,
  type Headers,
} from "../http/answer.ts";
import type { ApiProblem, ApiReply } from "./api-part.ts";
import { toHttpProblem } from "./api-problems.ts";

type Result = Exclude<ApiReply, { readonly raw: unknown }>;

/** Sets `no-store` unless the reply has a rule of its own. */
function toResultAnswer({ status = 200, result, resultInfo, headers = {} }: Result): Answer {
  const envelope = {
    result: result ?? null,
    success: true,
    errors: [],
    messages: [],
    ...(resultInfo && { result_info: resultInfo }),
  };
  return createJsonAnswer(envelope, {
    status,
    cache: cacheRules.none,
    headers,
    ...(headers.etag !== undefined && { etag: headers.etag }),
  });
}

export function createProblemAnswer({ status, code, message, headers = {} }: ApiProblem): Answer {
  const envelope = { result: null, success: false, errors: [{ code, message }], messages: [] };
  return createJsonAnswer(envelope, { status, cache: cacheRules.none, headers });
}

/** Returns the envelope of a refusal that is about HTTP itself. */
export function createHttpProblem(status: number, message: string, headers: Headers = {}): Answer {
  return createProblemAnswer({ ...toHttpProblem(status, message), headers });
}

/** Resolves when the last byte is written. Throws what a stream throws; the caller then cuts the connection. */
export async function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: ApiReply,
): Promise<void> {
  if (!("raw" in reply)) {
    sendAnswer(request, response, toResultAnswer(reply));
    return;
  }
  const { raw, status = 200 } = reply;
  const isBytes = raw instanceof Uint8Array;
  const answer = createRawAnswer(reply.headers, status, isBytes ? raw : new Uint8Array());
  const isUnchanged = status === 304 || isCurrent(request.headers["if-none-match"], answer.etag);
  if (isBytes && !isUnchanged) {
    sendAnswer(request, response, answer);
    return;
  }
  if (isUnchanged) response.writeHead(304, answer.notModifiedHeaders);
  else response.writeHead(status, toStreamedHead(answer.headers, reply.headers["content-length"]));
  const stream = isBytes || raw instanceof Readable ? raw : Readable.from(raw);
  if (isUnchanged || request.method === "HEAD") {
    if (stream instanceof Readable) stream.destroy();
    response.end();
    return;
  }
  await pipeline(stream as Readable, response);
}

/** Only the reply can know a stream's length. */
function toStreamedHead(headers: Headers, length: string | undefined): Headers {
  const head = without("content-length", headers);
  return length === undefined ? head : { ...head, "content-length": length };
}

function without(name: string, headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));
}

/** `headers` replace the defaults, except the length, which is that of the bytes. */
function createRawAnswer(headers: Headers, status: number, body: Uint8Array): Answer {
  const { "content-type": type = "application/octet-stream", etag } = headers;
  return createAnswer({
    body,
    type,
    status,
    cache: cacheRules.none,
    headers: without("content-length", headers),
    ...(etag !== undefined && { etag }),
  });
}
