// The REST routes of hosting: repositories, repo-scoped tokens, namespaces. Objects have theirs in objects/.
import type { ApiRoute } from "../../api/api-part.ts";
import type { ToRemote } from "../remote.ts";
import type { Repositories } from "../repositories.ts";
import { createNamespaceDrafts } from "./namespace-routes.ts";
import { createRepositoryDrafts } from "./repository-routes.ts";
import { toRoute } from "./route.ts";
import { createTokenDrafts } from "./token-routes.ts";

export interface RepositoryRoutesOptions {
  /** The one account that there is; any other is 404. */
  readonly accountId: string;
  readonly toRemote: ToRemote;
}

export function createRepositoryRoutes(
  repositories: Repositories,
  { accountId, toRemote }: RepositoryRoutesOptions,
): readonly ApiRoute[] {
  return [
    ...createRepositoryDrafts(repositories, toRemote),
    ...createTokenDrafts(repositories),
    ...createNamespaceDrafts(repositories),
  ].map((draft) => toRoute(accountId, draft));
}
