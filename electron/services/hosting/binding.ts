// The function binding: for every entry of the configuration an object over one namespace, which code of this process
// uses without a token.
import * as z from "zod";
import { flag, oneOf } from "../api/api-input.ts";
import { ArtifactsError } from "./artifacts-error.ts";
import type {
  ArtifactsCreateResult,
  ArtifactsNamespace,
  ArtifactsRepo,
  ArtifactsRepoInfo,
  ArtifactsRepoRecord,
} from "./binding-types.ts";
import { amount, parseFields, parseText, text } from "./hosting-input.ts";
import { defaultListLimit, defaultLogLimit, maxTokensPerPage } from "./hosting-limits.ts";
import { repositoryScopes, type CreatedRepository, type RepositoryRecord } from "./hosting-records.ts";
import { checkNamespace } from "./names.ts";
import type { ObjectReader } from "./objects/hosted-object-reader.ts";
import type { Repositories } from "./repositories.ts";

export interface BindingOptions {
  readonly repositories: Repositories;
  readonly objects: ObjectReader;
  /** Returns a repository's address at the listener that serves Git to this machine. */
  readonly toRemote: (repository: RepositoryRecord) => string;
  /** `YYYY-MM-DD` */
  readonly compatibilityDate: string;
}

/** From this compatibility date, handles have no fields; `info()` returns the current ones. */
const infoByMethodSince = "2026-11-20";

const commonFields = { description: text.nullable().optional(), readOnly: flag.optional() };
const CreateArguments = z.object({ name: text, ...commonFields, setDefaultBranch: text.optional() });
const ForkArguments = z.object({ name: text, ...commonFields, defaultBranchOnly: flag.optional() });
const ImportArguments = z.object({
  source: z.object({ url: text, branch: text.optional(), depth: amount.optional() }, "must be an object"),
  target: z.object(
    { name: text, opts: z.object(commonFields, "must be an object").optional() },
    "must be an object",
  ),
});
const ListArguments = z.object({ limit: amount.default(defaultListLimit), cursor: text.optional() });
const TokenArguments = z.object({ scope: oneOf(repositoryScopes).default("write"), ttl: amount.optional() });
const FileArguments = z.object({ ref: text.default("HEAD"), path: text });
const LogArguments = z.object({
  ref: text.default("HEAD"),
  limit: amount.default(defaultLogLimit),
  offset: amount.default(0),
});

/** @throws ArtifactsError `INVALID_INPUT` for an invalid namespace, or two entries with one binding name */
export function createBindings(
  entries: readonly { readonly binding: string; readonly namespace: string }[],
  options: BindingOptions,
): Readonly<Record<string, ArtifactsNamespace>> {
  const bindings = new Map<string, ArtifactsNamespace>();
  for (const { binding, namespace } of entries) {
    checkNamespace(namespace);
    if (bindings.has(binding)) {
      throw new ArtifactsError("INVALID_INPUT", `There are two bindings of the name ${binding}.`);
    }
    bindings.set(binding, Object.freeze(createNamespace(namespace, options)));
  }
  return Object.freeze(Object.fromEntries(bindings));
}

function createNamespace(namespace: string, options: BindingOptions): ArtifactsNamespace {
  const { repositories, compatibilityDate } = options;
  return {
    async create(name, given) {
      const fields = parseFields(CreateArguments, { ...given, name });
      const draft = { ...fields, defaultBranch: fields.setDefaultBranch };
      return toCreateResult(options, await repositories.create(namespace, draft));
    },
    async get(name) {
      const repository = await repositories.get(namespace, parseText("name", name));
      const fields = compatibilityDate < infoByMethodSince ? toInfo(options, repository) : {};
      return Object.freeze({ ...fields, ...createHandle(options, repository) });
    },
    async list(given = {}) {
      const { limit, cursor } = parseFields(ListArguments, given);
      const query = { sort: "created_at", direction: "desc", limit, cursor } as const;
      const page = await repositories.list(namespace, query);
      const repos = page.repositories.map(toRepoRecord);
      return { repos, total: page.total, ...(page.cursor !== undefined && { cursor: page.cursor }) };
    },
    delete: async (name) => (await repositories.delete(namespace, parseText("name", name))) !== undefined,
    async import(given) {
      const { source, target } = parseFields(ImportArguments, given);
      const draft = { ...source, ...target.opts };
      return toCreateResult(options, await repositories.import(namespace, target.name, draft));
    },
  };
}

function createHandle(options: BindingOptions, { id, namespace, name }: RepositoryRecord): ArtifactsRepo {
  const { repositories, objects } = options;
  const current = async (): Promise<RepositoryRecord> => {
    const repository = await repositories.get(namespace, name);
    if (repository.id !== id) throw new ArtifactsError("NOT_FOUND", "The repository was deleted.");
    return repository;
  };
  const directory = async (): Promise<string> => repositories.directoryOf(await current());
  return {
    info: async () => toInfo(options, await current()),
    async createToken(scope, ttl) {
      const draft = parseFields(TokenArguments, { scope, ttl });
      await current();
      return repositories.createToken(namespace, name, draft);
    },
    async listTokens() {
      await current();
      return repositories.listTokens(namespace, name, { state: "all", perPage: maxTokensPerPage, page: 1 });
    },
    async revokeToken(tokenOrId) {
      await current();
      return repositories.revokeToken(namespace, parseText("token", tokenOrId), name);
    },
    readBlob: async (hash) => toBlob(await objects.readBlob(await directory(), hash)),
    readTree: async (hash) => (await objects.readTree(await directory(), hash)) ?? null,
    readCommit: async (hash) => (await objects.readCommit(await directory(), hash)) ?? null,
    async readFile(query) {
      const file = parseFields(FileArguments, query);
      return toBlob((await objects.readFile(await directory(), file))?.bytes);
    },
    async log(query = {}) {
      const range = parseFields(LogArguments, query);
      return (await objects.log(await directory(), range)) ?? null;
    },
    async fork(forkName, given) {
      const draft = parseFields(ForkArguments, { ...given, name: forkName });
      await current();
      const forked = await repositories.fork(namespace, name, draft);
      return { ...toCreateResult(options, forked), objects: forked.objects };
    },
  };
}

function toInfo({ toRemote }: BindingOptions, repository: RepositoryRecord): ArtifactsRepoInfo {
  return { ...toRepoRecord(repository), remote: toRemote(repository) };
}

function toRepoRecord(repository: RepositoryRecord): ArtifactsRepoRecord {
  const { id, name, description, defaultBranch, createdAt, updatedAt } = repository;
  const { lastPushAt, source, readOnly, status } = repository;
  return {
    ...{ id, name, description, defaultBranch, createdAt, updatedAt },
    ...{ lastPushAt, source, readOnly, status },
  };
}

function toCreateResult(
  { toRemote }: BindingOptions,
  { repository, token }: CreatedRepository,
): ArtifactsCreateResult {
  const { id, name, description, defaultBranch } = repository;
  return { id, name, description, defaultBranch, remote: toRemote(repository), token: token.plaintext };
}

/** Copies the bytes once, into a Blob as the public binding returns it. */
function toBlob(bytes: Buffer | undefined): Blob | null {
  return bytes === undefined ? null : new Blob([new Uint8Array(bytes)]);
}
