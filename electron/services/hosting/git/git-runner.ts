// Running the machine's own Git: with an environment of our own, in process groups of their own, remembered on disk while they
// run. Names, refs and paths never become options.
import type { Readable, Writable } from "node:stream";

export interface GitVersion {
  /** Absolute. */
  readonly path: string;
  /** `2.39.5` */
  readonly version: string;
}

/** What hosting says when there is no Git: one sentence, with how to get it. */
export type GitAvailability = { readonly git: GitVersion } | { readonly missing: string };

export interface GitCommand {
  /** After the options that every command gets; a value that came from outside stands behind `--end-of-options` or `--`. */
  readonly args: readonly string[];
  /** The bare repository; becomes `--git-dir`. */
  readonly directory?: string | undefined;
  /** Beside the clean environment: `GIT_PROTOCOL`, a proxy. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Kills the whole group when aborted. */
  readonly signal?: AbortSignal | undefined;
  /** `low` for what nobody waits for: the machine's other work goes first. */
  readonly priority?: "low" | undefined;
}

export interface GitProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when the process is gone; `stderr` is its tail, at most 8 KiB. */
  readonly ended: Promise<{
    readonly status: number | null;
    readonly signal: string | null;
    readonly stderr: string;
  }>;
  kill(): void;
}

export interface GitRunner {
  readonly availability: GitAvailability;
  /** @throws ArtifactsError `UPSTREAM_UNAVAILABLE` without Git */
  spawn(command: GitCommand): GitProcess;
  /**
   * Runs to the end and gives its whole standard output, at most `maxBytes` (1 MiB unless given).
   * @throws ArtifactsError `UPSTREAM_UNAVAILABLE` without Git; GitFailure for a status other than 0
   */
  run(
    command: GitCommand & { readonly input?: string | Uint8Array; readonly maxBytes?: number },
  ): Promise<Buffer>;
  /** Ends everything that runs. Idempotent. */
  close(): Promise<void>;
}

/** Git ran and failed. `stderr` may name paths of this machine: for the log alone. */
export class GitFailure extends Error {
  override readonly name = "GitFailure";
  readonly status: number | null;
  readonly stderr: string;

  constructor(status: number | null, stderr: string) {
    super(`Git ended with status ${status ?? "none"}.`);
    this.status = status;
    this.stderr = stderr;
  }
}
