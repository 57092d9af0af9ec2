// What all routes of hosting have in common: their base, and whose account and which namespace they are about.
import type { ApiReply, ApiRequest, ApiRoute } from "../../api/api-part.ts";
import { ArtifactsError } from "../artifacts-error.ts";
import { checkNamespace } from "../names.ts";

export const namespacesPath = "/accounts/:account/artifacts/namespaces";

export interface HostingRequest extends ApiRequest {
  /** Of the path; well-formed, and empty on a route without one. */
  readonly namespace: string;
  /** The last parameter of the path, as it stands there: a repository's name or a token's id. */
  readonly name: string;
}

export interface RouteDraft extends Pick<ApiRoute, "method"> {
  /** Below `namespacesPath`. */
  readonly path: string;
  readonly handle: (request: HostingRequest) => Promise<ApiReply>;
}

/** Reading needs the read permission, everything else edit. */
export function toRoute(accountId: string, { method, path, handle }: RouteDraft): ApiRoute {
  return {
    method,
    path: namespacesPath + path,
    permission: method === "GET" ? "artifacts:read" : "artifacts:edit",
    handle: async (request) => {
      const { account, namespace = "", name = "" } = request.params;
      if (account !== accountId) throw new ArtifactsError("NOT_FOUND", "There is no such account here.");
      if (path.startsWith("/:namespace")) checkNamespace(namespace);
      return handle({ ...request, namespace, name });
    },
  };
}
