// Creates and deletes repositories. A new one is built in staging, synced, moved into place and then marked ready.
// Failures are undone here or by the next start's sweep. Rows are written before folders and deleted before them.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { AppError, messageOf } from "../../../shared/app-error.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";
import { ArtifactsError } from "./artifacts-error.ts";
import type { ForkedRepository } from "./hosting-records.ts";
import type { Store } from "./hosting-store.ts";
import { isBranchName } from "./names.ts";
import {
  folderOf,
  moveFolder,
  removeFolder,
  stagedFolderOf,
  syncTree,
  writeBareRepository,
  writeHead,
} from "./repository-folders.ts";
import { toRepository, type RepositoryRow } from "./repository-table.ts";
import { createId } from "./repository-tokens.ts";
import type { Transferred } from "./transfer/fetched.ts";

type MakingStatus = "creating" | "importing" | "forking";

const auditKinds = { creating: "created", importing: "imported", forking: "forked" } as const;

export interface Making {
  readonly draft: Pick<
    RepositoryRow,
    "namespace" | "name" | "description" | "default_branch" | "source" | "read_only"
  >;
  readonly status: MakingStatus;
  /** Fills the empty repository in `directory`; without it, the repository stays empty. */
  readonly fill?: ((directory: string, signal: AbortSignal) => Promise<Transferred>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Begun {
  readonly row: RepositoryRow & { readonly status: MakingStatus };
  /** True if the repository is the first of a new namespace. */
  readonly madeNamespace: boolean;
}

export function createLifecycle(store: Store) {
  const makings = new Map<string, AbortController>();
  const underWay = new Set<Promise<unknown>>();
  let isClosing = false;

  async function track<Result>(work: Promise<Result>): Promise<Result> {
    underWay.add(work);
    try {
      return await work;
    } finally {
      underWay.delete(work);
    }
  }

  async function make(making: Making): Promise<ForkedRepository> {
    making.signal?.throwIfAborted();
    if (isClosing) throw closing();
    const begun = begin(store, making);
    const { id } = begun.row;
    const controller = new AbortController();
    makings.set(id, controller);
    const signal = AbortSignal.any([controller.signal, ...(making.signal ? [making.signal] : [])]);
    try {
      return finish(store, begun.row, await build(store, begun.row, making, signal));
    } catch (error) {
      await abandon(store, begun);
      throw error;
    } finally {
      makings.delete(id);
    }
  }

  async function remove(namespace: string, name: string): Promise<string | undefined> {
    const id = condemn(store, namespace, name);
    if (id === undefined) return undefined;
    store.atStep("row removed");
    const making = makings.get(id);
    // Its maker removes the folders once nothing writes to them.
    if (making === undefined) await removeFolders(store, id);
    else making.abort(deletedMeanwhile());
    return id;
  }

  return {
    make: (making: Making): Promise<ForkedRepository> => track(make(making)),
    /** Returns the id of the deleted repository; undefined if there was none. */
    delete: (namespace: string, name: string): Promise<string | undefined> => track(remove(namespace, name)),
    /** Aborts forks and imports, and resolves when nothing is under way. */
    async close(): Promise<void> {
      isClosing = true;
      for (const making of makings.values()) making.abort(closing());
      await Promise.allSettled(underWay);
    },
  };
}

/** Writes the row. @throws ArtifactsError `ALREADY_EXISTS` */
function begin(store: Store, { draft, status }: Making): Begun {
  return store.transaction(() => {
    const nowMs = store.nowMs();
    const madeNamespace = store.namespaces.insert(draft.namespace, nowMs);
    if (store.repositories.find(draft.namespace, draft.name) !== undefined) {
      throw new ArtifactsError("ALREADY_EXISTS", `A repository named ${draft.name} already exists.`);
    }
    const row = {
      ...draft,
      id: createId(),
      // The namespace keeps its first spelling: names are compared without case.
      namespace: store.namespaces.find(draft.namespace)!.namespace,
      created_at: nowMs,
      updated_at: nowMs,
      last_push_at: null,
      status,
    };
    store.repositories.insert(row);
    return { row, madeNamespace };
  });
}

/** Builds the folder and moves it into place. */
async function build(
  { layout, atStep }: Store,
  row: RepositoryRow,
  { fill }: Making,
  signal: AbortSignal,
): Promise<Transferred> {
  atStep("row written");
  const staged = stagedFolderOf(layout, row.id);
  await writeBareRepository(staged, row.default_branch);
  signal.throwIfAborted();
  const filled = (await fill?.(staged, signal)) ?? { objects: 0, defaultBranch: row.default_branch };
  if (!isBranchName(filled.defaultBranch)) {
    throw new ArtifactsError("INVALID_INPUT", "The name of the source's default branch is not allowed here.");
  }
  await writeHead(staged, filled.defaultBranch);
  atStep("filled");
  await syncTree(staged);
  atStep("synced");
  signal.throwIfAborted();
  if (!(await moveFolder(staged, folderOf(layout, row.id)))) {
    throw new AppError("storage-failed", "A repository vanished while it was being created.");
  }
  atStep("moved in");
  return filled;
}

/** Makes the repository visible to everyone. @throws ArtifactsError `NOT_FOUND` if it was deleted meanwhile */
function finish(store: Store, row: Begun["row"], { objects, defaultBranch }: Transferred): ForkedRepository {
  return store.transaction(() => {
    const nowMs = store.nowMs();
    if (!store.repositories.finish(row.id, row.status, defaultBranch)) throw deletedMeanwhile();
    const token = store.tokens.mint(row.id, "write", nowMs);
    store.namespaces.touch(row.namespace, nowMs);
    store.audit.add(row, nowMs, { kind: auditKinds[row.status], detail: row.source });
    const repository = toRepository({ ...row, default_branch: defaultBranch, status: "ready" });
    return { repository, token, objects };
  });
}

/** Undoes an unfinished repository; leaves what it cannot undo to the next start's sweep. */
async function abandon(store: Store, { row, madeNamespace }: Begun): Promise<void> {
  try {
    store.transaction(() => {
      store.repositories.condemn(row.id, store.nowMs());
      if (madeNamespace) store.namespaces.removeEmpty(row.namespace);
    });
  } catch (error) {
    store.log("warn", "A repository that could not be created is still listed; the next start removes it", {
      id: row.id,
      reason: messageOf(error),
    });
    return;
  }
  await removeFolders(store, row.id);
}

/** Deletes the row. Returns the repository's id; undefined if there is none. */
function condemn(store: Store, namespace: string, name: string): string | undefined {
  return store.transaction(() => {
    const row = store.repositories.find(namespace, name);
    if (row === undefined) return undefined;
    const nowMs = store.nowMs();
    store.repositories.condemn(row.id, nowMs);
    store.namespaces.touch(namespace, nowMs);
    store.audit.add(row, nowMs, { kind: "deleted" });
    return row.id;
  });
}

/**
 * Removes the folders of a deleted repository. If the disk refuses (a file open on Windows), the next start retries.
 */
async function removeFolders(store: Store, id: string): Promise<void> {
  const { layout, repositories, beforeRemoval, atStep, log } = store;
  try {
    await beforeRemoval(id);
    const gone = join(layout.stagingFolder, `${id}.gone`);
    // A rename is atomic: nobody sees a repository that is half removed.
    await moveFolder(folderOf(layout, id), gone);
    atStep("moved out");
    await removeFolder(gone);
    await removeFolder(stagedFolderOf(layout, id));
    await syncFolder(layout.stagingFolder);
    atStep("folder removed");
    repositories.forgetCondemned(id);
  } catch (error) {
    log("warn", "The folder of a deleted repository still exists; the next start removes it", {
      id,
      reason: messageOf(error),
    });
  }
}

/**
 * Repairs what a crash left: deletes unfinished repositories, completes deletions, empties staging. Git processes of an
 * earlier host must have ended before.
 */
export async function sweep(store: Store): Promise<void> {
  const { layout, repositories } = store;
  store.transaction(() => {
    // Their callers never received an answer, so nobody holds a token for them.
    for (const id of repositories.listUnfinished()) repositories.condemn(id, store.nowMs());
  });
  for (const name of await readdir(layout.stagingFolder)) {
    await removeFolder(join(layout.stagingFolder, name));
  }
  for (const id of repositories.listCondemned()) await removeFolders(store, id);
  await reportStrays(store);
}

/**
 * Logs folders without a row and rows without a folder, and leaves them alone. A crash cannot cause them; a restored
 * database or moved folders can.
 */
async function reportStrays({ layout, repositories, log }: Store): Promise<void> {
  const present = new Set(await readdir(layout.gitFolder));
  for (const id of repositories.listCondemned()) present.delete(`${id}.git`);
  for (const id of repositories.listIds()) {
    if (!present.delete(`${id}.git`)) log("error", "The folder of a repository is missing", { id });
  }
  for (const name of present) log("warn", "A folder belongs to no repository", { name });
}

function deletedMeanwhile(): ArtifactsError {
  return new ArtifactsError("NOT_FOUND", "The repository was deleted while it was being created.");
}

function closing(): ArtifactsError {
  return new ArtifactsError("UPSTREAM_UNAVAILABLE", "Repository hosting is closing.");
}
