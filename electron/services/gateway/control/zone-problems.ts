// What the zone routes refuse, with status, code and sentence. The codes of zone settings are those that scripts know; the others
// are the listener's own.
import { isAppError } from "../../../../shared/app-error.ts";
import type { ApiProblem } from "../../api/api-part.ts";
import { ApiRefusal, apiCodes } from "../../api/api-problems.ts";

export const controlCodes = {
  settingUnknown: 1_006,
  settingInvalid: 1_007,
  /** The zone's plan, or its subscription, does not include what is asked. */
  notIncluded: 10_300,
} as const;

export function invalidInput(message: string): ApiRefusal {
  return new ApiRefusal({ status: 400, code: apiCodes.invalidInput, message });
}

export function notFound(message: string): ApiRefusal {
  return new ApiRefusal({ status: 404, code: apiCodes.notFound, message });
}

export function notIncluded(message: string): ApiRefusal {
  return new ApiRefusal({ status: 403, code: controlCodes.notIncluded, message });
}

export const settingUnknown = (): ApiRefusal =>
  new ApiRefusal({
    status: 400,
    code: controlCodes.settingUnknown,
    message: "Unrecognized zone setting name: there is redirects_for_ai_training here.",
  });

export const settingInvalid = (): ApiRefusal =>
  new ApiRefusal({
    status: 400,
    code: controlCodes.settingInvalid,
    message: 'Invalid value for the zone setting redirects_for_ai_training: it is "on" or "off".',
  });

/** Undefined for what is nobody's fault but ours, which the listener logs; refusals are the listener's to answer. */
export function toProblem(error: unknown): ApiProblem | undefined {
  if (!isAppError(error)) return undefined;
  const { code, message } = error;
  if (code === "invalid-input") return { status: 400, code: apiCodes.invalidInput, message };
  if (code === "not-found") return { status: 404, code: apiCodes.notFound, message };
  if (code === "upstream-unavailable") return { status: 502, code: apiCodes.internal, message };
  return undefined;
}
