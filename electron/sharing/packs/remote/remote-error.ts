// What another repository service may answer instead of what was asked for, as sentences for a person. They name no token and
// no address.
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import {
  connectionReason,
  HttpFailure,
  type HttpFailureKind,
} from "../../../sources/fetching/http-failure.ts";

const codes: Readonly<Record<HttpFailureKind, string>> = {
  unreachable: "The repository cannot be reached",
  "no-answer": "The repository does not answer",
  redirected: "The repository sends us elsewhere, where we do not follow",
  "too-large": "The repository's answer is longer than it may be",
  "too-slow": "The repository stopped amid its answer",
  "cut-short": "The connection to the repository was cut",
};

/** @param detail follows the sentence in brackets */
export function linkError(
  kind: HttpFailureKind,
  options: { cause?: unknown; detail?: string } = {},
): AppError {
  const reason = options.detail ?? connectionReason(options.cause);
  const sentence = `${codes[kind]}${reason === undefined ? "" : ` (${reason})`}.`;
  return new AppError("upstream-unavailable", sentence, {
    cause: new HttpFailure(kind, sentence, options.cause),
  });
}

const lostKinds: ReadonlySet<HttpFailureKind> = new Set([
  "unreachable",
  "no-answer",
  "too-slow",
  "cut-short",
]);

/** Whether asking again may help: the link was lost, and nothing was refused. */
export function isLostLink(error: unknown): boolean {
  return isAppError(error) && error.cause instanceof HttpFailure && lostKinds.has(error.cause.kind);
}

/** The answer is not what a Git service says. */
export function notGit(why: string, cause?: unknown): AppError {
  return new AppError("upstream-unavailable", `No Git repository answers at this address (${why}).`, {
    cause,
  });
}

/** What a status other than 200 says. `words` are those of the service, made harmless. */
export function statusError(status: number, words: string | undefined): AppError {
  const said = words === undefined ? "" : ` It says: ${words}`;
  if (status >= 300 && status < 400) return linkError("redirected");
  switch (status) {
    case 401:
      return new AppError(
        "invalid-input",
        "The repository refuses the token, or needs one: it is wrong, expired, revoked or another repository's.",
        { context: { status } },
      );
    case 403:
      return new AppError("invalid-input", `The repository does not allow this with this token.${said}`);
    case 404:
      return new AppError("not-found", "There is no repository at this address.");
    case 413:
      return new AppError("conflict", `The repository does not take a pack of this size.${said}`);
    case 429:
      return new AppError("upstream-rate-limited", "The repository asks us to come back later.");
    default:
      return new AppError(
        "upstream-unavailable",
        `The repository's service failed with status ${status}.${said}`,
      );
  }
}

/** Words from outside on one line, without characters that steer a terminal, at most 300 long; undefined for none. */
export function harmless(words: string): string | undefined {
  const line = words
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, 300);
  return line === "" ? undefined : line;
}
