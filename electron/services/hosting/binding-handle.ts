// The binding's handle of one repository.
import * as z from "zod";
import { flag, oneOf } from "../api/api-input.ts";
import { ArtifactsError } from "./artifacts-error.ts";
import type {
  ArtifactsCreateResult,
  ArtifactsRepo,
  ArtifactsRepoInfo,
  ArtifactsRepoRecord,
} from "./binding-types.ts";
import { amount, parseFields, parseText, text } from "./hosting-input.ts";
import type { ObjectReader } from "./objects/repository-objects.ts";
import { getReady } from "./ready.ts";
import { repositoryScopes, type RepositoryRecord } from "./hosting-records.ts";
import type { CreatedRepository, Repositories } from "./repositories.ts";

export interface BindingContext {
  readonly repositories: Repositories;
  readonly objects: ObjectReader;
  readonly toRemote: (repository: RepositoryRecord) => string;
}

/** Of a handle's list of tokens; there is no second page. */
const listedTokens = 100;

const TokenArguments = z.object({ scope: oneOf(repositoryScopes).default("write"), ttl: amount.optional() });
const FileArguments = z.object({ ref: text.default("HEAD"), path: text });
const LogArguments = z.object({
  ref: text.default("HEAD"),
  limit: amount.default(50),
  offset: amount.default(0),
});
const ForkArguments = z.object({
  name: text,
  description: text.nullable().optional(),
  readOnly: flag.optional(),
  defaultBranchOnly: flag.optional(),
});

export function createHandle(
  context: BindingContext,
  { id, namespace, name }: RepositoryRecord,
): ArtifactsRepo {
  const { repositories, objects } = context;
  const current = async (): Promise<RepositoryRecord> => {
    const repository = await getReady(repositories, namespace, name);
    if (repository.id !== id) throw new ArtifactsError("NOT_FOUND", "The repository was deleted.");
    return repository;
  };
  const directory = async (): Promise<string> => repositories.directoryOf(await current());
  return {
    info: async () => toInfo(context, await current()),
    async createToken(scope, ttl) {
      const draft = parseFields(TokenArguments, { scope, ttl });
      await current();
      return repositories.createToken(namespace, name, draft);
    },
    async listTokens() {
      await current();
      return repositories.listTokens(namespace, name, { state: "all", perPage: listedTokens, page: 1 });
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
    async fork(forkName, options) {
      const draft = parseFields(ForkArguments, { ...options, name: forkName });
      await current();
      const forked = await repositories.fork(namespace, name, draft);
      return { ...toCreateResult(context, forked), objects: forked.objects };
    },
  };
}

export function toInfo({ toRemote }: BindingContext, repository: RepositoryRecord): ArtifactsRepoInfo {
  return { ...toRepoRecord(repository), remote: toRemote(repository) };
}

export function toRepoRecord(repository: RepositoryRecord): ArtifactsRepoRecord {
  return {
    id: repository.id,
    name: repository.name,
    description: repository.description,
    defaultBranch: repository.defaultBranch,
    createdAt: repository.createdAt,
    updatedAt: repository.updatedAt,
    lastPushAt: repository.lastPushAt,
    source: repository.source,
    readOnly: repository.readOnly,
    status: repository.status,
  };
}

export function toCreateResult(
  { toRemote }: BindingContext,
  { repository, token }: CreatedRepository,
): ArtifactsCreateResult {
  const { id, name, description, defaultBranch } = repository;
  return { id, name, description, defaultBranch, remote: toRemote(repository), token: token.plaintext };
}

/** The bytes of an object are copied once, so that a blob of the public binding's kind holds them. */
function toBlob(bytes: Buffer | undefined): Blob | null {
  return bytes === undefined ? null : new Blob([new Uint8Array(bytes)]);
}
