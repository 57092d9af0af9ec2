// What the zone routes refuse, with status, code and sentence. The codes of zone settings are those that scripts know; the others
// are the listener's own.
import { isAppError } from "../../../shared/app-error.ts";
import type { ApiProblem } from "../../api/api-part.ts";
import { apiCodes } from "../../api/problems.ts";

export const controlCodes = {
  settingUnknown: 1_006,
  settingInvalid: 1_007,
  /** The zone's plan, or its subscription, does not include what is asked. */
  notIncluded: 10_300,
} as const;

/** A request that a zone route refuses. */
export class ControlError extends Error {
  override readonly name = "ControlError";
  readonly problem: ApiProblem;

  constructor(problem: ApiProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

export function invalidInput(message: string): ControlError {
  return new ControlError({ status: 400, code: apiCodes.invalidInput, message });
}

export function notFound(message: string): ControlError {
  return new ControlError({ status: 404, code: apiCodes.notFound, message });
}

export function notIncluded(message: string): ControlError {
  return new ControlError({ status: 403, code: controlCodes.notIncluded, message });
}

export const settingUnknown = (): ControlError =>
  new ControlError({
    status: 400,
    code: controlCodes.settingUnknown,
    message: "Unrecognized zone setting name: there is redirects_for_ai_training here.",
  });

export const settingInvalid = (): ControlError =>
  new ControlError({
    status: 400,
    code: controlCodes.settingInvalid,
    message: 'Invalid value for the zone setting redirects_for_ai_training: it is "on" or "off".',
  });

/** Undefined for what is nobody's fault but ours: the listener logs it. */
export function toProblem(error: unknown): ApiProblem | undefined {
  if (error instanceof ControlError) return error.problem;
  if (!isAppError(error)) return undefined;
  const { code, message } = error;
  if (code === "invalid-input") return { status: 400, code: apiCodes.invalidInput, message };
  if (code === "not-found") return { status: 404, code: apiCodes.notFound, message };
  if (code === "upstream-unavailable") return { status: 502, code: apiCodes.internal, message };
  return undefined;
}
