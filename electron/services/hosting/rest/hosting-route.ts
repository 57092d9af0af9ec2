// The form of a REST route of hosting before it joins the API listener.
import type { ApiReply, ApiRequest, ApiRoute } from "../../api/api-part.ts";

export interface HostingRequest extends ApiRequest {
  /** Valid; empty on a route without a namespace. */
  readonly namespace: string;
  /** Last parameter of the path, unchecked: a repository's name or a token's id. */
  readonly name: string;
}

export interface HostingRoute extends Pick<ApiRoute, "method"> {
  /** Below `…/artifacts/namespaces`. */
  readonly path: string;
  readonly handle: (request: HostingRequest) => Promise<ApiReply>;
}
