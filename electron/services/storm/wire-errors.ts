// The one place where error codes become what the storm specification has on the wire: a status and a sentence.
import { isAppError, type ErrorCode } from "../../../shared/app-error.ts";
import type { ErrorBody } from "../../../shared/contract/primitives.ts";
import {
  cacheRules,
  createAnswer,
  createJsonAnswer,
  textType,
  type Answer,
  type Headers,
} from "../http/answer.ts";

interface WireForm {
  readonly status: number;
  /** What a client reads; undefined sends the error's own sentence, which was written for a person. */
  readonly sentence: string | undefined;
}

const wireForms: Readonly<Record<ErrorCode, WireForm>> = {
  "invalid-input": { status: 400, sentence: undefined },
  "not-found": { status: 404, sentence: undefined },
  "stored-data-invalid": { status: 502, sentence: "What is stored here does not keep its contract." },
  "storage-failed": { status: 502, sentence: "The stored data cannot be read." },
  "source-invalid": { status: 502, sentence: "What is stored here comes from a source that cannot be used." },
  "upstream-rate-limited": {
    status: 429,
    sentence: "The place provider asks for fewer searches. Try again in a while.",
  },
  "upstream-unavailable": { status: 502, sentence: "The place provider is unavailable." },
  // A reading service neither changes anything nor binds twice: these would be a fault of ours.
  "frame-missing": { status: 500, sentence: "Something went wrong in the service; its log says what." },
  conflict: { status: 500, sentence: "Something went wrong in the service; its log says what." },
  "address-in-use": { status: 500, sentence: "Something went wrong in the service; its log says what." },
};

const unexpected: WireForm = {
  status: 500,
  sentence: "Something went wrong in the service; its log says what.",
};

/** An error answer with a JSON body, as every operation but the stream has it. */
export function createProblem(status: number, message: string, headers?: Headers): Answer {
  const body: ErrorBody = { message };
  return createJsonAnswer(body, { status, cache: cacheRules.none, ...(headers && { headers }) });
}

/** An error answer in plain text, as the stream has it. */
export function createTextProblem(status: number, message: string, headers?: Headers): Answer {
  return createAnswer({
    body: `${message}\n`,
    type: textType,
    status,
    cache: cacheRules.none,
    ...(headers && { headers }),
  });
}

/** What the client is told of any thrown value. Never a stack, a path or an upstream address. */
export function toProblem(error: unknown): Answer {
  const { status, sentence } = isAppError(error) ? wireForms[error.code] : unexpected;
  return createProblem(status, sentence ?? (isAppError(error) ? error.detail : unexpected.sentence!));
}

/** Whether the people who run the service should hear of it: a client's own mistakes are no news. */
export function isNews(error: unknown): boolean {
  return !isAppError(error, "invalid-input") && !isAppError(error, "not-found");
}
