// What people hear of a part that was switched on and could not be started: one sentence, on the log once and in the state.
import { isAppError } from "../../../shared/app-error.ts";
import type { Log } from "../../platform/effects.ts";

/** Gives the sentence; `otherwise` for an error that nobody wrote for a person, which the log then has beside it. */
export function tellFailure(error: unknown, otherwise: string, log: Log): string {
  if (isAppError(error)) {
    log("warn", error.detail, error.context);
    return error.detail;
  }
  log("warn", otherwise, { error });
  return otherwise;
}
