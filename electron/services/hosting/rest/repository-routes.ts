// Routes that list, create, read, delete, fork and import repositories.
import * as z from "zod";
import { digits, flag, oneOf } from "../../api/api-input.ts";
import { ArtifactsError } from "../artifacts-error.ts";
import { toRemote } from "../git/git-route.ts";
import { amount, parseFields, parseQuery, text } from "../hosting-input.ts";
import { defaultListLimit, maxListLimit } from "../hosting-limits.ts";
import { repositorySorts, type CreatedRepository, type RepositoryRecord } from "../hosting-records.ts";
import type { Repositories } from "../repositories.ts";
import type { HostingRoute } from "./hosting-route.ts";

const ListParameters = z.object({
  limit: digits(1, maxListLimit).default(defaultListLimit),
  // A script's first request may send an empty cursor.
  cursor: z
    .string()
    .transform((cursor) => cursor || undefined)
    .optional(),
  search: z.string().default(""),
  sort: oneOf(repositorySorts).default("created_at"),
  direction: oneOf(["asc", "desc"]).default("desc"),
});

const commonFields = { description: text.nullable().optional(), read_only: flag.optional() };
const CreateBody = z.object({ name: text, ...commonFields, default_branch: text.optional() });
const ForkBody = z.object({ name: text, ...commonFields, default_branch_only: flag.optional() });
const ImportBody = z.object({
  url: text,
  branch: text.optional(),
  depth: amount.optional(),
  ...commonFields,
});

export function createRepositoryRoutes(repositories: Repositories): readonly HostingRoute[] {
  return [
    {
      method: "GET",
      path: "/:namespace/repos",
      async handle({ namespace, query }) {
        const parameters = parseQuery(ListParameters, query);
        const page = await repositories.list(namespace, parameters);
        return {
          result: page.repositories.map(toWire),
          resultInfo: {
            cursor: page.cursor ?? "",
            per_page: parameters.limit,
            count: page.repositories.length,
          },
        };
      },
    },
    {
      method: "POST",
      path: "/:namespace/repos",
      async handle({ namespace, body, origin }) {
        const {
          default_branch: defaultBranch,
          read_only: readOnly,
          ...fields
        } = parseFields(CreateBody, body);
        const created = await repositories.create(namespace, { ...fields, defaultBranch, readOnly });
        return { status: 201, result: toCreatedWire(created, origin) };
      },
    },
    {
      method: "GET",
      path: "/:namespace/repos/:name",
      async handle({ namespace, name, origin }) {
        const repository = await repositories.get(namespace, name);
        return { result: { ...toWire(repository), remote: toRemote(origin, repository) } };
      },
    },
    {
      method: "DELETE",
      path: "/:namespace/repos/:name",
      async handle({ namespace, name }) {
        const id = await repositories.delete(namespace, name);
        if (id === undefined) throw new ArtifactsError("NOT_FOUND", "There is no repository of this name.");
        return { status: 202, result: { id } };
      },
    },
    {
      method: "POST",
      path: "/:namespace/repos/:name/fork",
      async handle({ namespace, name, body, origin, signal }) {
        const fields = parseFields(ForkBody, body);
        const { name: forkName, description, read_only: readOnly } = fields;
        const draft = {
          name: forkName,
          description,
          readOnly,
          defaultBranchOnly: fields.default_branch_only,
        };
        const forked = await repositories.fork(namespace, name, draft, signal);
        return { status: 201, result: { ...toCreatedWire(forked, origin), objects: forked.objects } };
      },
    },
    {
      method: "POST",
      path: "/:namespace/repos/:name/import",
      async handle({ namespace, name, body, origin, signal }) {
        const { read_only: readOnly, ...fields } = parseFields(ImportBody, body);
        const imported = await repositories.import(namespace, name, { ...fields, readOnly }, signal);
        return { status: 201, result: toCreatedWire(imported, origin) };
      },
    },
  ];
}

function toWire(repository: RepositoryRecord) {
  return {
    id: repository.id,
    name: repository.name,
    description: repository.description,
    default_branch: repository.defaultBranch,
    created_at: repository.createdAt,
    updated_at: repository.updatedAt,
    last_push_at: repository.lastPushAt,
    source: repository.source,
    read_only: repository.readOnly,
    status: repository.status,
  };
}

function toCreatedWire({ repository, token }: CreatedRepository, origin: string) {
  const { id, name, description, defaultBranch } = repository;
  const remote = toRemote(origin, repository);
  return { id, name, description, default_branch: defaultBranch, remote, token: token.plaintext };
}
