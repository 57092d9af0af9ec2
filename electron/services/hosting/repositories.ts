// Repository hosting as the rest of Echotop sees it: one object over metadata and bare repositories. REST, the binding
// and Git over HTTP are three interfaces to it. One host at a time owns a data directory.
import type { DatabaseSync } from "node:sqlite";
import { checkVersion } from "../../platform/sqlite/open-sqlite-file.ts";
import { ArtifactsError } from "./artifacts-error.ts";
import { openDatabase, repositoriesKind, takeHostLock } from "./hosting-database.ts";
import { defaultBranchName } from "./hosting-limits.ts";
import type {
  AuditEntry,
  CreatedRepository,
  CreateDraft,
  ForkDraft,
  ForkedRepository,
  GitAccess,
  ImportDraft,
  ListQuery,
  MintedToken,
  NamespaceRecord,
  RepositoryPage,
  RepositoryRecord,
  RepositoryScope,
  TokenPage,
  TokenQuery,
} from "./hosting-records.ts";
import { createStore, type Store, type StoreOptions } from "./hosting-store.ts";
import { checkNamespace } from "./names.ts";
import { checkDraft, checkImport, toImportSource } from "./repository-drafts.ts";
import { folderOf, makeFolders, repositoryLayout } from "./repository-folders.ts";
import { createLifecycle, sweep, type Making } from "./repository-lifecycle.ts";
import { toRepository } from "./repository-table.ts";
import { checkTokenQuery } from "./repository-tokens.ts";
import type { Transfer } from "./transfer/transfer.ts";

export interface RepositoriesOptions extends StoreOptions {
  readonly dataDirectory: string;
  readonly transfer: Transfer;
  /** Ends Git processes of an earlier host, once this host owns the directory and before it is swept. */
  readonly endLeftovers?: (() => Promise<void>) | undefined;
}

/**
 * Opens hosting below a data directory and repairs what a crash left. Only `transfer` needs Git on this machine.
 * @throws AppError `conflict` while another host owns the directory, or if a newer version wrote it
 */
export async function createRepositories(options: RepositoriesOptions): Promise<Repositories> {
  const layout = repositoryLayout(options.dataDirectory);
  checkVersion(layout.databaseFile, repositoriesKind);
  await makeFolders(layout);
  const lock = takeHostLock(layout.lockFile);
  let database: DatabaseSync | undefined;
  const release = (): void => {
    database?.close();
    lock.close();
  };
  try {
    database = openDatabase(layout.databaseFile);
    const store = createStore(database, layout, options);
    await options.endLeftovers?.();
    await sweep(store);
    return compose(store, options.transfer, release);
  } catch (error) {
    release();
    throw error;
  }
}

/** All methods throw ArtifactsError. */
export type Repositories = ReturnType<typeof compose>;

function compose(store: Store, transfer: Transfer, release: () => void) {
  const lifecycle = createLifecycle(store);
  const { namespaces, tokens, audit, transaction, nowMs } = store;
  const find = (namespace: string, name: string): RepositoryRecord | undefined => {
    const row = store.repositories.find(namespace, name);
    return row && toRepository(row);
  };
  let closed: Promise<void> | undefined;

  return Object.freeze({
    find: (namespace: string, name: string): Promise<RepositoryRecord | undefined> =>
      settle(() => find(namespace, name)),

    /** @throws ArtifactsError as `checkReady` */
    get: (namespace: string, name: string): Promise<RepositoryRecord> =>
      settle(() => checkReady(find(namespace, name))),

    list: (namespace: string, query: ListQuery): Promise<RepositoryPage> =>
      settle(() => store.repositories.list(namespace, query)),

    async create(namespace: string, draft: CreateDraft): Promise<CreatedRepository> {
      checkDraft(namespace, draft);
      const origin = { default_branch: draft.defaultBranch ?? defaultBranchName, source: null };
      return lifecycle.make({ draft: toNewRow(namespace, draft, origin), status: "creating" });
    },

    /** Copies `name` to a new repository. An abort leaves nothing behind. */
    async fork(
      namespace: string,
      name: string,
      draft: ForkDraft,
      signal?: AbortSignal,
    ): Promise<ForkedRepository> {
      checkDraft(namespace, draft);
      const original = checkReady(find(namespace, name));
      const source = `artifacts:${original.namespace}/${original.name}`;
      const { defaultBranchOnly = true } = draft;
      return lifecycle.make({
        draft: toNewRow(namespace, draft, { default_branch: original.defaultBranch, source }),
        status: "forking",
        fill: async (directory, aborted) => {
          const from = folderOf(store.layout, original.id);
          try {
            return await transfer.fork(from, directory, { defaultBranchOnly }, aborted);
          } finally {
            // Even after success: if the original was deleted during the copy, the copy may be incomplete.
            checkUndeleted(original, find(namespace, name));
          }
        },
        signal,
      });
    },

    /** Copies another service's repository to a new one called `name`. An abort leaves nothing behind. */
    async import(
      namespace: string,
      name: string,
      draft: ImportDraft,
      signal?: AbortSignal,
    ): Promise<CreatedRepository> {
      checkDraft(namespace, { name, description: draft.description });
      checkImport(draft);
      const origin = {
        default_branch: draft.branch ?? defaultBranchName,
        source: toImportSource(draft.url),
      };
      return lifecycle.make({
        draft: toNewRow(namespace, { ...draft, name }, origin),
        status: "importing",
        fill: (directory, aborted) => transfer.import(draft, directory, aborted),
        signal,
      });
    },

    /**
     * Returns the id of the deleted repository; undefined if there was none. Its folder is removed even after a crash.
     */
    delete: (namespace: string, name: string): Promise<string | undefined> =>
      lifecycle.delete(namespace, name),

    /** Sorted by name. */
    listNamespaces: (): Promise<readonly NamespaceRecord[]> => settle(() => namespaces.list()),

    findNamespace: (namespace: string): Promise<NamespaceRecord | undefined> =>
      settle(() => namespaces.find(namespace)),

    createNamespace: (namespace: string): Promise<NamespaceRecord> =>
      settle(() => {
        checkNamespace(namespace);
        return transaction(() => {
          if (!namespaces.insert(namespace, nowMs())) {
            throw new ArtifactsError("ALREADY_EXISTS", `A namespace named ${namespace} already exists.`);
          }
          return namespaces.find(namespace)!;
        });
      }),

    /** `ttl` in seconds, 60 to 31,536,000; default one day. */
    createToken: (
      namespace: string,
      name: string,
      { scope, ttl }: { readonly scope: RepositoryScope; readonly ttl?: number | undefined },
    ): Promise<MintedToken> =>
      settle(() => transaction(() => tokens.mint(checkReady(find(namespace, name)).id, scope, nowMs(), ttl))),

    /** Newest first. */
    listTokens: (namespace: string, name: string, query: TokenQuery): Promise<TokenPage> =>
      settle(() => {
        checkTokenQuery(query);
        return tokens.list(checkReady(find(namespace, name)).id, query, nowMs());
      }),

    /**
     * Revokes by id or by the token itself, in the namespace or only in the repository `name`. Returns false if no
     * token matches or it was already revoked.
     */
    revokeToken: (namespace: string, tokenOrId: string, name?: string): Promise<boolean> =>
      settle(() => {
        const id = transaction(() => tokens.revoke(namespace, tokenOrId, name, nowMs()));
        if (id !== undefined) store.onRevoked(id);
        return id !== undefined;
      }),

    /**
     * Returns undefined for any secret that does not open this repository: unknown, expired, revoked, another's. Only
     * the token leads to a repository, so that the time does not reveal whether the named one exists.
     */
    authorizeGit: (namespace: string, name: string, secret: string): Promise<GitAccess | undefined> =>
      settle(() => {
        const token = tokens.authorize(secret, nowMs());
        const row = token && store.repositories.match(token.repository_id, namespace, name);
        if (token === undefined || row?.status !== "ready") return undefined;
        return { repository: toRepository(row), scope: token.scope, tokenId: token.id };
      }),

    /** Returns the absolute path of the bare repository. */
    directoryOf: ({ id }: Pick<RepositoryRecord, "id">): string => folderOf(store.layout, id),

    /** Records a push that changed refs. `tokenId` is null for a push from this process. */
    notePush: (repository: RepositoryRecord, tokenId: string | null, detail: string): Promise<void> =>
      settle(() => {
        transaction(() => {
          store.repositories.notePush(repository.id, nowMs());
          audit.add(repository, nowMs(), { kind: "pushed", tokenId, detail });
        });
      }),

    noteFetch: (repository: RepositoryRecord, tokenId: string): Promise<void> =>
      settle(() => {
        // Not worth a wait for the disk: only the trail changes.
        transaction(() => {
          audit.add(repository, nowMs(), { kind: "fetched", tokenId });
        }, "lazy");
      }),

    /** Newest first, for all repositories that ever had this name; the oldest entries are gone. */
    listAudit: (namespace: string, name: string, limit: number): Promise<readonly AuditEntry[]> =>
      settle(() => audit.list(namespace, name, limit)),

    /** Aborts forks and imports, waits for them, and releases the directory. Idempotent. */
    close: (): Promise<void> => (closed ??= lifecycle.close().then(release)),
  });
}

/**
 * Returns a repository that exists and is complete.
 * @throws ArtifactsError `NOT_FOUND`, `CREATE_IN_PROGRESS`, `IMPORT_IN_PROGRESS`, `FORK_IN_PROGRESS`
 */
export function checkReady(repository: RepositoryRecord | undefined): RepositoryRecord {
  switch (repository?.status) {
    case "ready":
      return repository;
    case undefined:
      throw new ArtifactsError("NOT_FOUND", "There is no repository of this name.");
    case "creating":
      throw new ArtifactsError("CREATE_IN_PROGRESS", "The repository is still being created.");
    case "importing":
      throw new ArtifactsError("IMPORT_IN_PROGRESS", "The repository is still being imported.");
    case "forking":
      throw new ArtifactsError("FORK_IN_PROGRESS", "The repository is still being forked.");
  }
}

/** Runs work that is done at once, and turns its error into a rejection. */
function settle<Result>(work: () => Result): Promise<Result> {
  return new Promise((resolve) => {
    resolve(work());
  });
}

/** @throws ArtifactsError `NOT_FOUND` */
function checkUndeleted({ id }: RepositoryRecord, current: RepositoryRecord | undefined): void {
  if (current?.id === id) return;
  throw new ArtifactsError("NOT_FOUND", "The repository was deleted while it was being copied.");
}

function toNewRow(
  namespace: string,
  { name, description = null, readOnly = false }: Pick<CreateDraft, "name" | "description" | "readOnly">,
  origin: Pick<Making["draft"], "default_branch" | "source">,
): Making["draft"] {
  return { ...origin, namespace, name, description, read_only: readOnly ? 1 : 0 };
}
