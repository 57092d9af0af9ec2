// Forks and imports as repository hosting asks for them, put together.
import type { GitRunner } from "../git/git-runner.ts";
import { forkRepository } from "./fork.ts";
import { importRepository, type ImportLimits } from "./import.ts";
import type { Transfer } from "./transfer.ts";
import { createAddressRule, resolveHost, type Resolve } from "./vetted-addresses.ts";

export interface TransferOptions {
  readonly runner: GitRunner;
  /** Addresses and CIDR blocks beside the public ones. */
  readonly importAllow: readonly string[];
  /** PEM, absolute. */
  readonly importCaFile: string | undefined;
  readonly maxPackBytes: number;
  /** The system's lookup unless given. */
  readonly resolve?: Resolve;
  readonly limits?: Partial<Omit<ImportLimits, "maxPackBytes">>;
}

const usualLimits = { idleMs: 60_000, connectMs: 10_000, totalMs: 15 * 60_000 } as const;

/** @throws AppError `invalid-input` for an `importAllow` that cannot be read */
export function createTransfer(options: TransferOptions): Transfer {
  const { runner, importAllow, importCaFile, maxPackBytes, resolve = resolveHost } = options;
  const isAllowed = createAddressRule(importAllow);
  const limits = { ...usualLimits, ...options.limits, maxPackBytes };
  return {
    fork: (sourceDirectory, directory, draft, signal) =>
      forkRepository(sourceDirectory, { runner, directory, signal }, draft),
    import: (draft, directory, signal) =>
      importRepository(
        draft,
        { runner, directory, signal },
        { isAllowed, resolve, caFile: importCaFile, limits },
      ),
  };
}
