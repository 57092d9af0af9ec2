// What all routes of a zone have in common: where they are, whom they take, and which zone they are about.
import type { ApiReply, ApiRequest, ApiRoute } from "../../api/api-part.ts";
import type { Zone } from "../zone.ts";
import { notFound } from "./zone-problems.ts";

export interface ZoneRequest extends ApiRequest {
  readonly zone: Zone;
  /** For the audit trail. */
  readonly actor: string;
}

export interface ZoneRouteDraft extends Pick<ApiRoute, "method"> {
  /** Below the zone: `/settings/:name`. */
  readonly path: string;
  /** Reading, though its method is not GET. */
  readonly isQuestion?: true;
  readonly handle: (request: ZoneRequest) => ApiReply | Promise<ApiReply>;
}

/** Reading needs the read permission, everything else edit. */
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
