// Fills a new bare repository from another one: a fork from a local repository, an import from another Git service.
import type { GitRunner } from "../git/git-runner.ts";
import { importTimeouts } from "../hosting-limits.ts";
import type { ForkDraft, ImportDraft } from "../hosting-records.ts";
import type { Transferred } from "./fetched.ts";
import { forkRepository } from "./fork.ts";
import { importRepository, type ImportLimits } from "./import.ts";
import { createAddressRule, resolveHost, type Resolve } from "./vetted-addresses.ts";

export interface TransferOptions {
  readonly runner: GitRunner;
  /** Addresses and CIDR blocks in addition to public ones. */
  readonly importAllow: readonly string[];
  /** Absolute path of a PEM file. */
  readonly importCaFile: string | undefined;
  readonly maxPackBytes: number;
  /** Default: the system's lookup. */
  readonly resolve?: Resolve;
  readonly limits?: Partial<Omit<ImportLimits, "maxPackBytes">>;
}

/**
 * `target` is the absolute path of a bare repository without refs. After a failure or an abort nothing is still
 * running, and the caller removes the target.
 */
export interface Transfer {
  /** @throws ArtifactsError; the reason of `signal` */
  fork(
    source: string,
    target: string,
    draft: Pick<ForkDraft, "defaultBranchOnly">,
    signal: AbortSignal,
  ): Promise<Transferred>;
  /**
   * @throws ArtifactsError `INVALID_URL`, `INVALID_INPUT`, `REMOTE_AUTH_REQUIRED`, `UPSTREAM_UNAVAILABLE`,
   * `MEMORY_LIMIT`
   */
  import(draft: ImportDraft, target: string, signal: AbortSignal): Promise<Transferred>;
}

/** @throws AppError `invalid-input` for an invalid entry of `importAllow` */
export function createTransfer(options: TransferOptions): Transfer {
  const { runner, importAllow, importCaFile: caFile, maxPackBytes, resolve = resolveHost } = options;
  const isAllowed = createAddressRule(importAllow);
  const limits = { ...importTimeouts, ...options.limits, maxPackBytes };
  return {
    fork: (source, directory, draft, signal) => forkRepository(source, { runner, directory, signal }, draft),
    import: (draft, directory, signal) =>
      importRepository(draft, { runner, directory, signal }, { isAllowed, resolve, caFile, limits }),
  };
}
