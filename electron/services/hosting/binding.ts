// The function binding: for every entry of the configuration an object over one namespace, which code of this process calls
// without any token.
import * as z from "zod";
import { flag } from "../api/api-input.ts";
import { ArtifactsError } from "./artifacts-error.ts";
import { createHandle, toCreateResult, toInfo, toRepoRecord, type BindingContext } from "./binding-handle.ts";
import type { ArtifactsNamespace } from "./binding-types.ts";
import { amount, parseFields, parseText, text } from "./hosting-input.ts";
import { checkNamespace } from "./names.ts";
import type { ObjectReader } from "./objects/repository-objects.ts";
import { getReady } from "./ready.ts";
import type { RepositoryRecord } from "./hosting-records.ts";
import type { Repositories } from "./repositories.ts";

export interface BindingEntry {
  /** The name under which code finds the object. */
  readonly binding: string;
  readonly namespace: string;
}

export interface BindingOptions {
  /** Of the listener that serves Git to this machine. */
  readonly toRemote: (repository: RepositoryRecord) => string;
  /** `YYYY-MM-DD` */
  readonly compatibilityDate: string;
}

/** From this date on, what is known of a repository is asked for by `info()` alone, as of the moment. */
const infoByMethodSince = "2026-11-20";

const description = text.nullable().optional();
const CreateArguments = z.object({
  name: text,
  description,
  readOnly: flag.optional(),
  setDefaultBranch: text.optional(),
});
const ListArguments = z.object({ limit: amount.default(50), cursor: text.optional() });
const ImportArguments = z.object({
  source: z.object({ url: text, branch: text.optional(), depth: amount.optional() }, "must be an object"),
  target: z.object(
    {
      name: text,
      opts: z.object({ description, readOnly: flag.optional() }, "must be an object").optional(),
    },
    "must be an object",
  ),
});

/** @throws ArtifactsError `INVALID_INPUT` for a namespace that cannot be, or two entries of one name */
export function createBindings(
  repositories: Repositories,
  objects: ObjectReader,
  entries: readonly BindingEntry[],
  { toRemote, compatibilityDate }: BindingOptions,
): Readonly<Record<string, ArtifactsNamespace>> {
  const bindings = new Map<string, ArtifactsNamespace>();
  for (const { binding, namespace } of entries) {
    checkNamespace(namespace);
    if (bindings.has(binding)) {
      throw new ArtifactsError("INVALID_INPUT", `There are two bindings of the name ${binding}.`);
    }
    const context = { repositories, objects, toRemote };
    bindings.set(binding, Object.freeze(createNamespace(context, namespace, compatibilityDate)));
  }
  return Object.freeze(Object.fromEntries(bindings));
}

function createNamespace(
  context: BindingContext,
  namespace: string,
  compatibilityDate: string,
): ArtifactsNamespace {
  const { repositories } = context;
  return {
    async create(name, options) {
      const fields = parseFields(CreateArguments, { ...options, name });
      const draft = { ...fields, defaultBranch: fields.setDefaultBranch };
      return toCreateResult(context, await repositories.create(namespace, draft));
    },
    async get(name) {
      const repository = await getReady(repositories, namespace, parseText("name", name));
      const fields = compatibilityDate < infoByMethodSince ? toInfo(context, repository) : {};
      return Object.freeze({ ...fields, ...createHandle(context, repository) });
    },
    async list(options = {}) {
      const { limit, cursor } = parseFields(ListArguments, options);
      const order = { sort: "created_at", direction: "desc" } as const;
      const page = await repositories.list(namespace, { ...order, limit, cursor });
      const repos = page.repositories.map(toRepoRecord);
      return { repos, total: page.total, ...(page.cursor !== undefined && { cursor: page.cursor }) };
    },
    delete: async (name) => (await repositories.delete(namespace, parseText("name", name))) !== undefined,
    async import(options) {
      const { source, target } = parseFields(ImportArguments, options);
      const draft = { ...source, ...target.opts };
      return toCreateResult(context, await repositories.import(namespace, target.name, draft));
    },
  };
}
