// Routes that list, make and read namespaces. One comes to be by its first repository, too.
import * as z from "zod";
import { ArtifactsError } from "../artifacts-error.ts";
import { parseFields, text } from "../hosting-input.ts";
import type { Repositories } from "../repositories.ts";
import type { RouteDraft } from "./route.ts";
import { toNamespaceWire } from "./repository-wire.ts";

const CreateBody = z.object({
  namespace: text,
  jurisdiction: z.never("cannot be chosen: everything is kept on this machine").optional(),
});

export function createNamespaceDrafts(repositories: Repositories): readonly RouteDraft[] {
  return [
    {
      method: "GET",
      path: "",
      async handle() {
        const namespaces = await repositories.listNamespaces();
        return {
          result: namespaces.map(toNamespaceWire),
          resultInfo: { count: namespaces.length, total_count: namespaces.length },
        };
      },
    },
    {
      method: "POST",
      path: "",
      async handle({ body }) {
        const { namespace } = parseFields(CreateBody, body);
        return { status: 201, result: toNamespaceWire(await repositories.createNamespace(namespace)) };
      },
    },
    {
      method: "GET",
      path: "/:namespace",
      async handle({ namespace }) {
        const record = await repositories.findNamespace(namespace);
        if (record === undefined) throw new ArtifactsError("NOT_FOUND", "There is no such namespace.");
        return { result: toNamespaceWire(record) };
      },
    },
  ];
}
