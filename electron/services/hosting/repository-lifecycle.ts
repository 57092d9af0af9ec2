// Making and deleting repositories. One is made in staging, synced, moved to its place and only then called ready; whatever
// fails on the way is undone, here or by the next start's sweep.
import { AppError, messageOf } from "../../../shared/app-error.ts";
import { ArtifactsError } from "./artifacts-error.ts";
import { moveFolder, syncTree, writeBareRepository, writeHead } from "./folders.ts";
import { folderOf, stagedFolderOf } from "./hosting-layout.ts";
import { isBranchName } from "./names.ts";
import { removeFolders } from "./removal.ts";
import type { ForkedRepository } from "./repositories.ts";
import type { RepositoryRow } from "./hosting-rows.ts";
import type { Store } from "./hosting-store.ts";
import type { Transferred } from "./transfer/transfer.ts";
import { begin, condemn, deletedMeanwhile, finish, withdraw } from "./transitions.ts";
import type { Begun, MakingStatus, NewRepository } from "./transitions.ts";

export interface Making {
  readonly draft: NewRepository;
  readonly status: MakingStatus;
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

export function createLifecycle(store: Store): Lifecycle {
  const makings = new Map<string, AbortController>();
  let isClosing = false;
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
    if (isClosing) throw closed();
    const begun = begin(store, making.draft, making.status);
    const { id } = begun.row;
    const controller = new AbortController();
    makings.set(id, controller);
    const signal = AbortSignal.any([controller.signal, ...(making.signal ? [making.signal] : [])]);
    try {
      const filled = await fillStaged(store, begun.row, making, signal);
      return finish(store, begun, filled);
    } catch (error) {
      await abandon(store, begun);
      throw error;
    } finally {
      makings.delete(id);
    }
  };

  const remove: Lifecycle["delete"] = async (namespace, name) => {
    const row = condemn(store, namespace, name);
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
      isClosing = true;
      for (const making of makings.values()) making.abort(closed());
      await Promise.allSettled(underWay);
    },
  };
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
  signal.throwIfAborted();
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

/** Undoes what was made so far; what cannot be undone now is left to the next start's sweep, and said in the log. */
async function abandon(store: Store, begun: Begun): Promise<void> {
  try {
    withdraw(store, begun);
  } catch (error) {
    store.log("warn", "A repository that could not be made is still listed; the next start removes it", {
      id: begun.row.id,
      reason: messageOf(error),
    });
    return;
  }
  await removeFolders(store, begun.row.id);
}

function closed(): ArtifactsError {
  return new ArtifactsError("UPSTREAM_UNAVAILABLE", "Repository hosting is being closed.");
}
