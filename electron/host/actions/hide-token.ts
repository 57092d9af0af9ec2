// Keeps a token out of the message of an error, no matter which library wrote it.
import { AppError, isAppError, messageOf } from "../../../shared/app-error.ts";

/** Settles as the promise does; if the error's message contains the token, rejects with another error that does not. */
export async function hideToken<Value>(token: string | undefined, promise: Promise<Value>): Promise<Value> {
  try {
    return await promise;
  } catch (error) {
    if (token === undefined) throw error;
    const message = messageOf(error);
    // The part after the question mark is the expiry, which is not secret.
    const secret = token.replace(/(.)\?.*$/s, "$1");
    const hidden = message.replaceAll(token, "[token]").replaceAll(secret, "[token]");
    if (hidden === message) throw error;
    // Without the cause, which contains the token too.
    throw isAppError(error) ? new AppError(error.code, hidden) : new Error(hidden);
  }
}
