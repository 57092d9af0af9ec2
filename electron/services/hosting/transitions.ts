// The rows of a repository from its first to its last: begun, finished or condemned, each in one transaction.
import { ArtifactsError } from "./artifacts-error.ts";
import type { AuditEntry, ForkedRepository } from "./repositories.ts";
import { toRepository, type RepositoryRow } from "./hosting-rows.ts";
import type { Store } from "./hosting-store.ts";
import { createId } from "./repository-tokens.ts";
import type { Transferred } from "./transfer/transfer.ts";

export type NewRepository = Pick<
  RepositoryRow,
  "namespace" | "name" | "description" | "default_branch" | "source" | "read_only"
>;

export type MakingStatus = "creating" | "importing" | "forking";

export interface Begun {
  readonly row: RepositoryRow & { readonly status: MakingStatus };
  /** The namespace came to be with it. */
  readonly madeNamespace: boolean;
}

const doneKinds: Readonly<Record<MakingStatus, AuditEntry["kind"]>> = {
  creating: "created",
  importing: "imported",
  forking: "forked",
};

/** @throws ArtifactsError `ALREADY_EXISTS` */
export function begin(store: Store, draft: NewRepository, status: MakingStatus): Begun {
  return store.transaction(() => {
    const nowMs = store.nowMs();
    const madeNamespace = store.namespaces.insert(draft.namespace, nowMs);
    if (store.repositories.find(draft.namespace, draft.name) !== undefined) {
      throw new ArtifactsError("ALREADY_EXISTS", `There is a repository of the name ${draft.name} already.`);
    }
    const row = {
      ...draft,
      id: createId(),
      // As it was first written: names are compared without case.
      namespace: store.namespaces.find(draft.namespace)!.name,
      created_at: nowMs,
      updated_at: nowMs,
      last_push_at: null,
      status,
    };
    store.repositories.insert(row);
    return { row, madeNamespace };
  });
}

/** From here on it is there for everybody. @throws ArtifactsError `NOT_FOUND` when it was deleted meanwhile */
export function finish(
  store: Store,
  { row }: Begun,
  { objects, defaultBranch }: Transferred,
): ForkedRepository {
  return store.transaction(() => {
    const { namespace, name, id, status } = row;
    const nowMs = store.nowMs();
    if (!store.repositories.finish(id, status, defaultBranch)) throw deletedMeanwhile();
    const token = store.tokens.mint(id, "write", undefined, nowMs);
    store.namespaces.touch(namespace, nowMs);
    const kind = doneKinds[status];
    store.audit.add({ namespace, name, atMs: nowMs, kind, tokenId: null, detail: row.source });
    return {
      repository: toRepository({ ...row, default_branch: defaultBranch, status: "ready" }),
      token,
      objects,
    };
  });
}

/** Of one that could not be made. */
export function withdraw(store: Store, { row, madeNamespace }: Begun): void {
  store.transaction(() => {
    store.repositories.condemn(row.id, store.nowMs());
    if (madeNamespace) store.namespaces.removeEmpty(row.namespace);
  });
}

/** Undefined when there is none of this name. */
export function condemn(store: Store, namespace: string, name: string): RepositoryRow | undefined {
  return store.transaction(() => {
    const row = store.repositories.find(namespace, name);
    if (row === undefined) return undefined;
    const nowMs = store.nowMs();
    store.repositories.condemn(row.id, nowMs);
    store.namespaces.touch(namespace, nowMs);
    store.audit.add({ ...row, atMs: nowMs, kind: "deleted", tokenId: null, detail: null });
    return row;
  });
}

export function deletedMeanwhile(): ArtifactsError {
  return new ArtifactsError("NOT_FOUND", "The repository was deleted while it was being made.");
}
