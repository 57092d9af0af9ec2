// Looking at repositories and namespaces.
import { ArtifactsError } from "./artifacts-error.ts";
import { parseCursor, toCursor } from "./list-cursor.ts";
import { checkNamespace } from "./names.ts";
import type { NamespaceRecord, RepositoryRecord } from "./hosting-records.ts";
import type { ListQuery, Repositories, RepositoryPage } from "./repositories.ts";
import { toNamespace, toRepository } from "./hosting-rows.ts";
import { settle } from "./settle.ts";
import type { Store } from "./hosting-store.ts";

const maxLimit = 200;

type Reading = Pick<Repositories, "find" | "list" | "listNamespaces" | "findNamespace" | "createNamespace">;

export function createReading(store: Store): Reading {
  return {
    find: (namespace, name) => settle(() => find(store, namespace, name)),
    list: (namespace, query) => settle(() => list(store, namespace, query)),
    listNamespaces: () => settle(() => store.namespaces.list().map(toNamespace)),
    findNamespace: (namespace) => settle(() => findNamespace(store, namespace)),
    createNamespace: (namespace) => settle(() => createNamespace(store, namespace)),
  };
}

function find(store: Store, namespace: string, name: string): RepositoryRecord | undefined {
  const row = store.repositories.find(namespace, name);
  return row && toRepository(row);
}

function list({ repositories }: Store, namespace: string, query: ListQuery): RepositoryPage {
  const { limit } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    throw new ArtifactsError("INVALID_INPUT", `The limit must be a whole number from 1 to ${maxLimit}.`);
  }
  // One more tells whether there is a next page.
  const rows = repositories.list(namespace, query, parseCursor(query), limit + 1);
  const page = rows.slice(0, limit);
  return {
    repositories: page.map(toRepository),
    total: repositories.count(namespace, query.search),
    cursor: rows.length > limit ? toCursor(query, page.at(-1)!) : undefined,
  };
}

function findNamespace(store: Store, namespace: string): NamespaceRecord | undefined {
  const row = store.namespaces.find(namespace);
  return row && toNamespace(row);
}

function createNamespace(store: Store, namespace: string): NamespaceRecord {
  checkNamespace(namespace);
  return store.transaction(() => {
    if (!store.namespaces.insert(namespace, store.nowMs())) {
      throw new ArtifactsError("ALREADY_EXISTS", `There is a namespace ${namespace} already.`);
    }
    return toNamespace(store.namespaces.find(namespace)!);
  });
}
