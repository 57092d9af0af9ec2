// Routes that list, make, read and delete repositories.
import * as z from "zod";
import { digits, flag, oneOf } from "../../api/api-input.ts";
import { ArtifactsError } from "../artifacts-error.ts";
import { amount, parseFields, parseQuery, text } from "../hosting-input.ts";
import { getReady } from "../ready.ts";
import type { ToRemote } from "../remote.ts";
import { repositorySorts, type Repositories } from "../repositories.ts";
import type { RouteDraft } from "./route.ts";
import { toCreatedWire, toRepositoryWire } from "./repository-wire.ts";

const maxLimit = 200;

const ListParameters = z.object({
  limit: digits(1, maxLimit).default(50),
  cursor: z.string().default(""),
  search: z.string().default(""),
  sort: oneOf(repositorySorts).default("created_at"),
  direction: oneOf(["asc", "desc"]).default("desc"),
});

const CreateBody = z.object({
  name: text,
  description: text.nullable().optional(),
  default_branch: text.optional(),
  read_only: flag.optional(),
});

const ForkBody = z.object({
  name: text,
  description: text.nullable().optional(),
  read_only: flag.optional(),
  default_branch_only: flag.optional(),
});

const ImportBody = z.object({
  url: text,
  branch: text.optional(),
  depth: amount.optional(),
  description: text.nullable().optional(),
  read_only: flag.optional(),
});

export function createRepositoryDrafts(
  repositories: Repositories,
  toRemote: ToRemote,
): readonly RouteDraft[] {
  return [
    listRoute(repositories),
    createRoute(repositories, toRemote),
    readRoute(repositories, toRemote),
    deleteRoute(repositories),
    forkRoute(repositories, toRemote),
    importRoute(repositories, toRemote),
  ];
}

function listRoute(repositories: Repositories): RouteDraft {
  return {
    method: "GET",
    path: "/:namespace/repos",
    async handle({ namespace, query }) {
      const { cursor, ...parameters } = parseQuery(ListParameters, query);
      const page = await repositories.list(namespace, {
        ...parameters,
        // A script's first page: the variable that holds the cursor is still empty.
        cursor: cursor === "" ? undefined : cursor,
      });
      return {
        result: page.repositories.map(toRepositoryWire),
        resultInfo: {
          cursor: page.cursor ?? "",
          per_page: parameters.limit,
          count: page.repositories.length,
        },
      };
    },
  };
}

function createRoute(repositories: Repositories, toRemote: ToRemote): RouteDraft {
  return {
    method: "POST",
    path: "/:namespace/repos",
    async handle({ namespace, body, origin }) {
      const { name, description, default_branch, read_only } = parseFields(CreateBody, body);
      const created = await repositories.create(namespace, {
        name,
        description,
        defaultBranch: default_branch,
        readOnly: read_only,
      });
      return { status: 201, result: toCreatedWire(created, toRemote(origin, created.repository)) };
    },
  };
}

function readRoute(repositories: Repositories, toRemote: ToRemote): RouteDraft {
  return {
    method: "GET",
    path: "/:namespace/repos/:name",
    async handle({ namespace, name, origin }) {
      const repository = await getReady(repositories, namespace, name);
      return { result: { ...toRepositoryWire(repository), remote: toRemote(origin, repository) } };
    },
  };
}

function deleteRoute(repositories: Repositories): RouteDraft {
  return {
    method: "DELETE",
    path: "/:namespace/repos/:name",
    async handle({ namespace, name }) {
      const id = await repositories.delete(namespace, name);
      if (id === undefined) throw new ArtifactsError("NOT_FOUND", "There is no repository of this name.");
      return { status: 202, result: { id } };
    },
  };
}

function forkRoute(repositories: Repositories, toRemote: ToRemote): RouteDraft {
  return {
    method: "POST",
    path: "/:namespace/repos/:name/fork",
    async handle({ namespace, name, body, origin, signal }) {
      const fields = parseFields(ForkBody, body);
      const draft = {
        name: fields.name,
        description: fields.description,
        readOnly: fields.read_only,
        defaultBranchOnly: fields.default_branch_only,
      };
      const forked = await repositories.fork(namespace, name, draft, signal);
      const wire = toCreatedWire(forked, toRemote(origin, forked.repository));
      return { status: 201, result: { ...wire, objects: forked.objects } };
    },
  };
}

function importRoute(repositories: Repositories, toRemote: ToRemote): RouteDraft {
  return {
    method: "POST",
    path: "/:namespace/repos/:name/import",
    async handle({ namespace, name, body, origin, signal }) {
      const { url, branch, depth, description, read_only } = parseFields(ImportBody, body);
      const draft = { url, branch, depth, description, readOnly: read_only };
      const imported = await repositories.import(namespace, name, draft, signal);
      return { status: 201, result: toCreatedWire(imported, toRemote(origin, imported.repository)) };
    },
  };
}
