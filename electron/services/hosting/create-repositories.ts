// Opens hosting's metadata and folders below a data directory, finishes what a crash has left there, and gives the object that
// REST, binding and Git transport share. One host at a time has a directory.
import type { DatabaseSync } from "node:sqlite";
import type { Log } from "../../platform/effects.ts";
import { checkVersion } from "../../platform/sqlite/open-sqlite-file.ts";
import { openDatabase, repositoriesKind, takeHostLock } from "./hosting-database.ts";
import { makeFolders } from "./folders.ts";
import { folderOf, repositoryLayout } from "./hosting-layout.ts";
import { createLifecycle } from "./repository-lifecycle.ts";
import { createMaking } from "./making.ts";
import { createReading } from "./reading.ts";
import { sweep } from "./removal.ts";
import type { Repositories } from "./repositories.ts";
import { createStore, type LifecycleStep, type Store } from "./hosting-store.ts";
import { createTokenDoor } from "./token-door.ts";
import { createTrail } from "./trail.ts";
import type { Transfer } from "./transfer/transfer.ts";

export interface RepositoriesOptions {
  readonly dataDirectory: string;
  readonly transfer: Transfer;
  readonly now: () => Date;
  readonly log: Log;
  /**
   * Ends what an earlier host's Git left. Runs once this host owns the directory, and before anything in it is swept: what runs
   * while another host owns it is that one's.
   */
  readonly endLeftovers?: (() => Promise<void>) | undefined;
  /** See `StoreOptions`. */
  readonly beforeRemoval?: ((id: string) => Promise<void>) | undefined;
  /** See `StoreOptions`. */
  readonly atStep?: ((step: LifecycleStep) => void) | undefined;
}

/**
 * Works without Git on the machine, but for what `transfer`
 * does.
 * @throws AppError `conflict` while another host has the directory, and for a directory of a newer version, which stays as it is
 */
export async function createRepositories(options: RepositoriesOptions): Promise<Repositories> {
  const layout = repositoryLayout(options.dataDirectory);
  checkVersion(layout.databaseFile, repositoriesKind);
  await makeFolders(layout.root, [layout.gitFolder, layout.stagingFolder]);
  const lock = takeHostLock(layout.lockFile);
  let database: DatabaseSync | undefined;
  try {
    database = openDatabase(layout.databaseFile);
    const store = createStore(database, { ...options, layout });
    await options.endLeftovers?.();
    await sweep(store);
    return compose(store, options.transfer, () => {
      database?.close();
      lock.close();
    });
  } catch (error) {
    database?.close();
    lock.close();
    throw error;
  }
}

function compose(store: Store, transfer: Transfer, release: () => void): Repositories {
  const lifecycle = createLifecycle(store);
  let closing: Promise<void> | undefined;
  return Object.freeze({
    ...createReading(store),
    ...createMaking(store, lifecycle, transfer),
    ...createTokenDoor(store),
    ...createTrail(store),
    directoryOf: ({ id }: { readonly id: string }) => folderOf(store.layout, id),
    close: () => (closing ??= lifecycle.close().then(release)),
  });
}
