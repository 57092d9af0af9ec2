// Records as REST sends them: snake_case, and a token's secret only where it is made.
import type { NamespaceRecord, RepositoryRecord, RepositoryTokenRecord } from "../hosting-records.ts";
import type { CreatedRepository } from "../repositories.ts";

export function toRepositoryWire(repository: RepositoryRecord) {
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

export function toCreatedWire({ repository, token }: CreatedRepository, remote: string) {
  return {
    id: repository.id,
    name: repository.name,
    description: repository.description,
    default_branch: repository.defaultBranch,
    remote,
    token: token.plaintext,
  };
}

export function toTokenWire(token: RepositoryTokenRecord) {
  return {
    id: token.id,
    scope: token.scope,
    state: token.state,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
  };
}

export function toNamespaceWire(namespace: NamespaceRecord) {
  return {
    namespace: namespace.namespace,
    repo_count: namespace.repoCount,
    created_at: namespace.createdAt,
    updated_at: namespace.updatedAt,
  };
}
