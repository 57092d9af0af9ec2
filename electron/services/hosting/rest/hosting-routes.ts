// The REST routes of hosting for repositories, tokens and namespaces. Those of object reads are in
// object-routes.ts.
import * as z from "zod";
import type { ApiRoute } from "../../api/api-part.ts";
import { ArtifactsError } from "../artifacts-error.ts";
import { parseFields, text } from "../hosting-input.ts";
import type { NamespaceRecord } from "../hosting-records.ts";
import { checkNamespace } from "../names.ts";
import type { Repositories } from "../repositories.ts";
import type { HostingRoute } from "./hosting-route.ts";
import { createRepositoryRoutes } from "./repository-routes.ts";
import { createTokenRoutes } from "./token-routes.ts";

/** The listener checks `:account`. */
export function createHostingRoutes(repositories: Repositories): readonly ApiRoute[] {
  return [
    ...createRepositoryRoutes(repositories),
    ...createTokenRoutes(repositories),
    ...createNamespaceRoutes(repositories),
  ].map(({ method, path, handle }) => ({
    method,
    path: `/accounts/:account/artifacts/namespaces${path}`,
    permission: method === "GET" ? "artifacts:read" : "artifacts:edit",
    handle: async (request) => {
      const { namespace = "", name = "" } = request.params;
      if (path.startsWith("/:namespace")) checkNamespace(namespace);
      return handle({ ...request, namespace, name });
    },
  }));
}

const NamespaceBody = z.object({
  namespace: text,
  jurisdiction: z.never("cannot be chosen: everything is kept on this machine").optional(),
});

/** Creating the first repository of a namespace also creates the namespace. */
function createNamespaceRoutes(repositories: Repositories): readonly HostingRoute[] {
  return [
    {
      method: "GET",
      path: "",
      async handle() {
        const namespaces = await repositories.listNamespaces();
        const { length: count } = namespaces;
        return { result: namespaces.map(toWire), resultInfo: { count, total_count: count } };
      },
    },
    {
      method: "POST",
      path: "",
      async handle({ body }) {
        const { namespace } = parseFields(NamespaceBody, body);
        return { status: 201, result: toWire(await repositories.createNamespace(namespace)) };
      },
    },
    {
      method: "GET",
      path: "/:namespace",
      async handle({ namespace }) {
        const record = await repositories.findNamespace(namespace);
        if (record === undefined) throw new ArtifactsError("NOT_FOUND", "There is no such namespace.");
        return { result: toWire(record) };
      },
    },
  ];
}

function toWire({ namespace, repoCount, createdAt, updatedAt }: NamespaceRecord) {
  return { namespace, repo_count: repoCount, created_at: createdAt, updated_at: updatedAt };
}
