// Shared by all routes of a zone: their path, permission and zone, the parsing of their input, and their refusals.
import * as z from "zod";
import { isAppError } from "../../../../shared/app-error.ts";
import { createInput } from "../../api/api-input.ts";
import type { ApiProblem, ApiReply, ApiRequest, ApiRoute } from "../../api/api-part.ts";
import { ApiRefusal, apiCodes } from "../../api/api-problems.ts";
import type { Zone } from "../zone.ts";

export interface ZoneRequest extends ApiRequest {
  readonly zone: Zone;
  /** For the audit trail. */
  readonly actor: string;
}

export interface ZoneRouteDraft extends Pick<ApiRoute, "method"> {
  /** Below the zone: `/settings/:name`. */
  readonly path: string;
  /** True for a method other than GET that changes nothing. */
  readonly isQuestion?: true;
  readonly handle: (request: ZoneRequest) => ApiReply | Promise<ApiReply>;
}

/** Reading needs the read permission, everything else the edit permission. */
export function toRoute(zones: readonly Zone[], draft: ZoneRouteDraft): ApiRoute {
  const { method, path, isQuestion = method === "GET" } = draft;
  return {
    method,
    path: `/zones/:zone${path}`,
    permission: isQuestion ? "zone-settings:read" : "zone-settings:edit",
    handle: async (request) => {
      const zone = zones.find(({ id }) => id === request.params.zone);
      if (zone === undefined) throw notFound("There is no such zone here.");
      return draft.handle({ ...request, zone, actor: request.tokenId ?? "unknown" });
    },
  };
}

export function text(least: number, most: number) {
  const message = `must be a text of ${least} to ${most} characters`;
  return z.string("must be a text").min(least, message).max(most, message);
}

const instantMessage = "must be an instant as 2026-11-20T12:00:00Z";

/** ISO in UTC, to the millisecond. */
export const instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], instantMessage)
  .transform((value) => new Date(value).toISOString());

/** Both throw an ApiRefusal with status 400. */
export const { parseFields, parseQuery } = createInput(invalidInput);

/** Scripts know the codes 1006 and 1007 of zone settings. All other codes are the listener's. */
export const controlCodes = {
  settingUnknown: 1_006,
  settingInvalid: 1_007,
  /** The zone's plan or subscription does not include the feature. */
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

/** Returns undefined for an internal fault, which the listener logs. The listener answers refusals itself. */
export function toProblem(error: unknown): ApiProblem | undefined {
  if (!isAppError(error)) return undefined;
  const { code, message } = error;
  if (code === "invalid-input") return { status: 400, code: apiCodes.invalidInput, message };
  if (code === "not-found") return { status: 404, code: apiCodes.notFound, message };
  if (code === "upstream-unavailable") return { status: 502, code: apiCodes.internal, message };
  return undefined;
}
