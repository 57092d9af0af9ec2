// Making and deleting repositories. One is made in staging, synced, moved to its place and only then called ready; whatever
// fails on the way is undone, here or by the next start's sweep.
import { AppError } from "../../shared/app-error.ts";
import { ArtifactsError } from "./artifacts-error.ts";
import { moveFolder, syncTree, writeBareRepository, writeHead } from "./folders.ts";
import { folderOf, stagedFolderOf } from "./layout.ts";
import { isBranchName } from "./names.ts";
import { removeFolders } from "./removal.ts";
import type { AuditEntry, ForkedRepository } from "./repositories.ts";
import { toRepository, type RepositoryRow } from "./rows.ts";
import type { Store } from "./store.ts";
import { createId } from "./tokens.ts";
import type { Transferred } from "./transfer/transfer.ts";

export type NewRepository = Pick<
  RepositoryRow,
  "namespace" | "name" | "description" | "default_branch" | "source" | "read_only"
>;

export interface Making {
  readonly draft: NewRepository;
  readonly status: "creating" | "importing" | "forking";
  /** Fills the empty repository in `directory`; undefined leaves it empty. */
  readonly fill?: ((directory: string, signal: AbortSignal) => Promise<Transferred>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Lifecycle {
  make(making: Making): Promise<ForkedRepository>;
  delete(namespace: string, name: string): Promise<string | undefined>;
  /** Aborts what is being made, and waits until nothing is under way. */
  close(): Promise<void>;
}

const doneKinds: Readonly<Record<Making["status"], AuditEntry["kind"]>> = {
  creating: "created",
  importing: "imported",
  forking: "forked",
};

export function createLifecycle(store: Store): Lifecycle {
  const makings = new Map<string, AbortController>();
  const underWay = new Set<Promise<unknown>>();
  const track = async <Result>(work: Promise<Result>): Promise<Result> => {
    underWay.add(work);
    try {
      return await work;
    } finally {
      underWay.delete(work);
    }
  };

  const make: Lifecycle["make"] = async (making) => {
    making.signal?.throwIfAborted();
    const { row, madeNamespace } = begin(store, making);
    const controller = new AbortController();
    makings.set(row.id, controller);
    const signal = AbortSignal.any([controller.signal, ...(making.signal ? [making.signal] : [])]);
    try {
      const filled = await fillStaged(store, row, making, signal);
      return finish(store, row, filled);
    } catch (error) {
      await abandon(store, row, madeNamespace);
      throw error;
    } finally {
      makings.delete(row.id);
    }
  };

  const remove: Lifecycle["delete"] = async (namespace, name) => {
    const row = store.transaction(() => condemn(store, namespace, name));
    if (row === undefined) return undefined;
    store.atStep("row removed");
    const making = makings.get(row.id);
    // Its maker removes the folders itself, once nothing writes to them any more.
    if (making === undefined) await removeFolders(store, row.id);
    else making.abort(deletedMeanwhile());
    return row.id;
  };

  return {
    make: async (making) => track(make(making)),
    delete: async (namespace, name) => track(remove(namespace, name)),
    async close() {
      for (const making of makings.values()) {
        making.abort(new ArtifactsError("UPSTREAM_UNAVAILABLE", "Repository hosting is being closed."));
      }
      await Promise.allSettled(underWay);
    },
  };
}

function begin(
  store: Store,
  { draft, status }: Making,
): { readonly row: RepositoryRow; readonly madeNamespace: boolean } {
  return store.transaction(() => {
    const nowMs = store.nowMs();
    const madeNamespace = store.namespaces.insert(draft.namespace, nowMs);
    if (store.repositories.find(draft.namespace, draft.name) !== undefined) {
      throw new ArtifactsError("ALREADY_EXISTS", `There is a repository of the name ${draft.name} already.`);
    }
    const row: RepositoryRow = {
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

/** Makes the folder, up to its place. */
async function fillStaged(
  store: Store,
  row: RepositoryRow,
  { fill }: Making,
  signal: AbortSignal,
): Promise<Transferred> {
  const { layout, atStep } = store;
  atStep("row written");
  const staged = stagedFolderOf(layout, row.id);
  await writeBareRepository(staged, row.default_branch);
  const filled = (await fill?.(staged, signal)) ?? { objects: 0, defaultBranch: row.default_branch };
  if (!isBranchName(filled.defaultBranch)) {
    throw new ArtifactsError(
      "INVALID_INPUT",
      "The default branch of the source has a name that is not taken.",
    );
  }
  await writeHead(staged, filled.defaultBranch);
  atStep("filled");
  await syncTree(staged);
  atStep("synced");
  signal.throwIfAborted();
  if (!(await moveFolder(staged, folderOf(layout, row.id)))) {
    throw new AppError("storage-failed", "A repository vanished while it was being made.");
  }
  atStep("moved in");
  return filled;
}

function finish(store: Store, row: RepositoryRow, { objects, defaultBranch }: Transferred): ForkedRepository {
  return store.transaction(() => {
    const { namespace, name, id, status } = row;
    const nowMs = store.nowMs();
    if (!store.repositories.finish(id, status, defaultBranch)) throw deletedMeanwhile();
    const token = store.tokens.mint(id, "write", undefined, nowMs);
    store.namespaces.touch(namespace, nowMs);
    const kind = doneKinds[status as Making["status"]];
    store.audit.add({ namespace, name, atMs: nowMs, kind, tokenId: null, detail: row.source });
    return {
      repository: toRepository({ ...row, default_branch: defaultBranch, status: "ready" }),
      token,
      objects,
    };
  });
}

async function abandon(
  store: Store,
  { id, namespace }: RepositoryRow,
  madeNamespace: boolean,
): Promise<void> {
  store.transaction(() => {
    store.repositories.condemn(id, store.nowMs());
    if (madeNamespace) store.namespaces.removeEmpty(namespace);
  });
  await removeFolders(store, id);
}

function condemn(store: Store, namespace: string, name: string): RepositoryRow | undefined {
  const row = store.repositories.find(namespace, name);
  if (row === undefined) return undefined;
  const nowMs = store.nowMs();
  store.repositories.condemn(row.id, nowMs);
  store.namespaces.touch(namespace, nowMs);
  store.audit.add({ ...row, atMs: nowMs, kind: "deleted", tokenId: null, detail: null });
  return row;
}

function deletedMeanwhile(): ArtifactsError {
  return new ArtifactsError("NOT_FOUND", "The repository was deleted while it was being made.");
}
