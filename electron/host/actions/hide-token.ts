// Keeps a token out of everything that work says of itself, whatever the work and the libraries under it put together.
import { AppError, isAppError, messageOf } from "../../../shared/app-error.ts";
import type { TaskReport } from "./task-board.ts";

export function hideToken(text: string, token: string | undefined): string {
  if (token === undefined) return text;
  // What follows the question mark says when it expires, and is no secret.
  const [secret = token] = token.split("?");
  return text.replaceAll(token, "[token]").replaceAll(secret === "" ? token : secret, "[token]");
}

export function hidingReport(report: TaskReport, token: string | undefined): TaskReport {
  return {
    ...report,
    say: (message) => {
      report.say(hideToken(message, token));
    },
  };
}

/** Rejects as the promise does, with another error where the message names the token. */
export async function hidingFailure<Value>(
  promise: Promise<Value>,
  token: string | undefined,
): Promise<Value> {
  try {
    return await promise;
  } catch (error) {
    const message = messageOf(error);
    const hidden = hideToken(message, token);
    if (hidden === message) throw error;
    // The cause is left behind: it says what must not be said.
    throw isAppError(error) ? new AppError(error.code, hidden) : new Error(hidden);
  }
}
