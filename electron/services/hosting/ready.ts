// A repository that can be worked with: there, and not half made.
import { ArtifactsError } from "./artifacts-error.ts";
import type { RepositoryRecord } from "./hosting-records.ts";
import type { Repositories } from "./repositories.ts";

/** @throws ArtifactsError `NOT_FOUND`, `CREATE_IN_PROGRESS`, `IMPORT_IN_PROGRESS`, `FORK_IN_PROGRESS` */
export function checkReady<Repository extends Pick<RepositoryRecord, "status">>(
  repository: Repository | undefined,
): Repository {
  if (repository === undefined) throw new ArtifactsError("NOT_FOUND", "There is no repository of this name.");
  switch (repository.status) {
    case "ready":
      return repository;
    case "creating":
      throw new ArtifactsError("CREATE_IN_PROGRESS", "The repository is still being created.");
    case "importing":
      throw new ArtifactsError("IMPORT_IN_PROGRESS", "The repository is still being imported.");
    case "forking":
      throw new ArtifactsError("FORK_IN_PROGRESS", "The repository is still being forked.");
  }
}

/** @throws ArtifactsError as `checkReady` */
export async function getReady(
  repositories: Pick<Repositories, "find">,
  namespace: string,
  name: string,
): Promise<RepositoryRecord> {
  return checkReady(await repositories.find(namespace, name));
}
