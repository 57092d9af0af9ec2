// Where hosting keeps its files below the data directory.
import { join } from "node:path";

export interface RepositoryLayout {
  readonly root: string;
  readonly databaseFile: string;
  /** An SQLite file that is only locked, never written: one host owns the directory. */
  readonly lockFile: string;
  /** `<id>.git`: bare repositories, by id and never by name. */
  readonly gitFolder: string;
  /** Which Git processes run, for the host after a crash. */
  readonly runningFolder: string;
  /** Repositories on their way in or out; worthless after a crash. */
  readonly stagingFolder: string;
}

export function repositoryLayout(dataDirectory: string): RepositoryLayout {
  const root = join(dataDirectory, "repositories");
  return {
    root,
    databaseFile: join(root, "repositories.sqlite"),
    lockFile: join(root, "host.lock"),
    gitFolder: join(root, "git"),
    runningFolder: join(root, "running"),
    stagingFolder: join(root, "staging"),
  };
}

export function folderOf({ gitFolder }: RepositoryLayout, id: string): string {
  return join(gitFolder, `${id}.git`);
}

/** Where a repository is made before it moves to `folderOf`. */
export function stagedFolderOf({ stagingFolder }: RepositoryLayout, id: string): string {
  return join(stagingFolder, `${id}.git`);
}
