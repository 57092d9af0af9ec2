// Converts error codes to the wire form of the storm specification: a status and a sentence.
import { isAppError, messageOf, type ErrorCode } from "../../../shared/app-error.ts";
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
  /** Sentence for the client; undefined sends the error's own. */
  readonly sentence: string | undefined;
}

const unexpected = {
  status: 500,
  sentence: "Something went wrong in the service; its log says what.",
} as const satisfies WireForm;

const wireForms: Readonly<Record<ErrorCode, WireForm>> = {
  "invalid-input": { status: 400, sentence: undefined },
  "not-found": { status: 404, sentence: undefined },
  "stored-data-invalid": { status: 502, sentence: "The stored data is damaged." },
  "storage-failed": { status: 502, sentence: "The stored data cannot be read." },
  "storage-unavailable": { status: 503, sentence: "The stored data cannot be reached at the moment." },
  "source-invalid": { status: 502, sentence: "The stored data comes from an invalid source." },
  "upstream-rate-limited": {
    status: 429,
    sentence: "The place provider limits searches. Try again in a few minutes.",
  },
  "upstream-unavailable": { status: 502, sentence: "The place provider is unavailable." },
  // Reading never causes these.
  "frame-missing": unexpected,
  conflict: unexpected,
  "steps-changed": unexpected,
  "address-in-use": unexpected,
};

/** Returns an error with a JSON body, for every operation but the stream. */
export function createProblem(status: number, message: string, headers?: Headers): Answer {
  const body: ErrorBody = { message };
  return createJsonAnswer(body, { status, cache: cacheRules.none, ...(headers && { headers }) });
}

/** Returns an error in plain text, for the stream. */
export function createTextProblem(status: number, message: string, headers?: Headers): Answer {
  return createAnswer({
    body: `${message}\n`,
    type: textType,
    status,
    cache: cacheRules.none,
    ...(headers && { headers }),
  });
}

/** Seconds after which what is unavailable may be back. */
const retryAfter = "5";

/** Returns the answer for a thrown value, without stack, path or upstream address. */
export function toProblem(error: unknown): Answer {
  const { status, sentence } = isAppError(error) ? wireForms[error.code] : unexpected;
  const headers = status === 503 ? { "retry-after": retryAfter } : undefined;
  return createProblem(status, sentence ?? messageOf(error), headers);
}

/** Returns true if the log should have the error: not for a client's own mistakes. */
export function isNews(error: unknown): boolean {
  return !isAppError(error, "invalid-input") && !isAppError(error, "not-found");
}
