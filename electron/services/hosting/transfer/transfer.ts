// Filling a new bare repository from another one: a fork from a local one, an import from another Git service. Only the interface;
// made in create-transfer.ts.
import type { ForkDraft, ImportDraft } from "../repositories.ts";

export interface Transferred {
  /** Objects in the new repository. */
  readonly objects: number;
  /** Where the caller points its HEAD. */
  readonly defaultBranch: string;
}

/**
 * `targetDirectory` is the absolute path of a bare repository without refs. After a failure or an abort nothing runs any more, and
 * the caller removes the directory.
 */
export interface Transfer {
  /** @throws ArtifactsError; the reason of `signal` */
  fork(
    sourceDirectory: string,
    targetDirectory: string,
    draft: Pick<ForkDraft, "defaultBranchOnly">,
    signal: AbortSignal,
  ): Promise<Transferred>;
  /**
   * @throws ArtifactsError `INVALID_URL`, `INVALID_INPUT`, `REMOTE_AUTH_REQUIRED`, `UPSTREAM_UNAVAILABLE`, `MEMORY_LIMIT`; those of
   * the upstream's making are TransferError, which carries its HTTP status
   */
  import(
    draft: Pick<ImportDraft, "url" | "branch" | "depth">,
    targetDirectory: string,
    signal: AbortSignal,
  ): Promise<Transferred>;
}
