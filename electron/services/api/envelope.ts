// The v4 envelope: the one form of every answer of the control plane that is not raw bytes.
import { cacheRules, createJsonAnswer, type Answer } from "../http/answer.ts";
import type { ApiProblem, ApiReply } from "./api-part.ts";

type Result = Exclude<ApiReply, { readonly raw: unknown }>;

/** `no-store`, unless the reply says otherwise; an `etag` of the reply makes its 304s. */
export function createResultAnswer({ status = 200, result, resultInfo, headers = {} }: Result): Answer {
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
