// Runs the machine's own Git: clean environment, fixed options, and for each run a process group that is recorded on
// disk while it lives. Names, refs and paths never become options.
import { spawn as spawnProcess, type ChildProcessWithoutNullStreams } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { Readable, type Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { ArtifactsError } from "../artifacts-error.ts";
import type { GitAvailability } from "./find-git.ts";
import {
  attributes,
  attributesName,
  createGitEnvironment,
  gitOptions,
  runVariable,
} from "./git-environment.ts";
import { killGroup } from "./process-groups.ts";
import { openRunningRegistry, type RunningRegistry } from "./running-registry.ts";

export interface GitCommand {
  /** Follows the options of every command. Values from outside come after `--end-of-options` or `--`. */
  readonly args: readonly string[];
  /** The bare repository; becomes `--git-dir`. */
  readonly directory?: string | undefined;
  /** Added to the clean environment: `GIT_PROTOCOL`, a proxy. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Kills the whole group when aborted. */
  readonly signal?: AbortSignal | undefined;
  /** `low` for background work. */
  readonly priority?: "low" | undefined;
}

/** A bare repository, and the signal of the request that works with it. */
export interface GitPlace {
  readonly runner: GitRunner;
  readonly directory: string;
  readonly signal: AbortSignal | undefined;
}

export interface GitProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when the process has ended; `stderr` is its last 8 KiB. */
  readonly ended: Promise<{
    readonly status: number | null;
    readonly signal: string | null;
    readonly stderr: string;
  }>;
  kill(): void;
}

/** Git ran and failed. `stderr` may contain local paths: only for the log. */
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

export interface GitRunner {
  readonly availability: GitAvailability;
  /** @throws ArtifactsError `UPSTREAM_UNAVAILABLE` without Git; the error of a full disk */
  spawn(command: GitCommand): GitProcess;
  /**
   * Runs to the end and returns the whole standard output, at most `maxBytes` (default 1 MiB).
   * @throws ArtifactsError `UPSTREAM_UNAVAILABLE` without Git, `MEMORY_LIMIT`; GitFailure for a status other than 0
   */
  run(
    command: GitCommand & { readonly input?: string | Uint8Array; readonly maxBytes?: number },
  ): Promise<Buffer>;
  /** Ends all processes. Idempotent. */
  close(): Promise<void>;
}

export interface GitRunnerOptions {
  readonly availability: GitAvailability;
  /** `repositories/running` of the data directory; an empty `home` is created in it. */
  readonly runningDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Default: the one in `runningDirectory`. */
  readonly registry?: RunningRegistry;
}

/** Time for Git to clean up after SIGTERM; then it is killed. */
const graceMs = 2000;
const stderrTailBytes = 8192;
const defaultOutputBytes = 1024 * 1024;

export function createGitRunner(options: GitRunnerOptions): GitRunner {
  const { availability, runningDirectory, environment, platform } = options;
  const { registry = openRunningRegistry(runningDirectory) } = options;
  const homeDirectory = `${runningDirectory}/home`;
  mkdirSync(homeDirectory, { recursive: true, mode: 0o700 });
  writeFileSync(join(homeDirectory, attributesName), attributes);
  const surroundings = { homeDirectory, environment, platform };
  const cleanEnvironment = createGitEnvironment(surroundings);
  const leadingOptions = gitOptions(surroundings);
  const alive = new Map<GitProcess, ReturnType<typeof setTimeout> | undefined>();
  let closed = false;

  function gitPath(): string {
    if ("missing" in availability) throw new ArtifactsError("UPSTREAM_UNAVAILABLE", availability.missing);
    if (closed) throw new ArtifactsError("UPSTREAM_UNAVAILABLE", "Echotop is closing.");
    return availability.git.path;
  }

  function spawn(command: GitCommand): GitProcess {
    const path = gitPath();
    command.signal?.throwIfAborted();
    const run = randomBytes(16).toString("hex");
    const directory = command.directory === undefined ? [] : [`--git-dir=${command.directory}`];
    const child = spawnProcess(path, [...leadingOptions, ...directory, ...command.args], {
      cwd: homeDirectory,
      env: { ...cleanEnvironment, ...command.env, [runVariable]: run },
      detached: platform !== "win32",
      windowsHide: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    if (child.pid !== undefined && command.priority === "low") lowerPriority(child.pid);
    const kill = (): void => {
      const { pid } = child;
      if (pid === undefined || !alive.has(process) || alive.get(process) !== undefined) return;
      killGroup(pid, "SIGTERM", platform);
      const timer = setTimeout(() => {
        killGroup(pid, "SIGKILL", platform);
      }, graceMs);
      alive.set(process, timer);
      child.stdout.destroy();
      child.stdin.destroy();
    };
    const ended = watch(child).finally(() => {
      clearTimeout(alive.get(process));
      alive.delete(process);
      registry.forget(run);
      command.signal?.removeEventListener("abort", kill);
    });
    const process: GitProcess = { stdin: child.stdin, stdout: child.stdout, ended, kill };
    alive.set(process, undefined);
    try {
      if (child.pid !== undefined) registry.note(run, child.pid);
    } catch (error) {
      kill();
      throw error;
    }
    command.signal?.addEventListener("abort", kill, { once: true });
    return process;
  }

  return {
    availability,
    spawn,
    async run({ input, maxBytes = defaultOutputBytes, ...command }) {
      const child = spawn(command);
      const fed = feed(child, input);
      const output = await collect(child, maxBytes);
      const { status, stderr } = await child.ended;
      await fed;
      command.signal?.throwIfAborted();
      if (output === undefined) {
        throw new ArtifactsError("MEMORY_LIMIT", "Git's output is larger than the limit.");
      }
      if (status !== 0) throw new GitFailure(status, stderr);
      return output;
    },
    async close() {
      closed = true;
      const running = [...alive.keys()];
      for (const child of running) child.kill();
      await Promise.all(running.map((child) => child.ended));
    },
  };
}

/** Resolves when the process has ended and no process of its group holds its standard error. */
function watch(child: ChildProcessWithoutNullStreams): GitProcess["ended"] {
  let tail = Buffer.alloc(0);
  child.stderr.on("data", (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-stderrTailBytes);
  });
  // A process that ends before it has read all input breaks the pipe; its status says what happened.
  child.stdin.on("error", () => undefined);
  child.stdout.on("error", () => undefined);
  return new Promise((resolve) => {
    let failure: Error | undefined;
    const settle = (status: number | null, signal: string | null): void => {
      resolve({ status, signal, stderr: failure?.message ?? tail.toString("utf8") });
    };
    child.on("error", (error) => {
      failure = error;
      if (child.pid === undefined) settle(null, null);
    });
    child.on("exit", (status, signal) => {
      if (child.stderr.closed) settle(status, signal);
      else
        child.stderr.once("close", () => {
          settle(status, signal);
        });
    });
  });
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended, or the system refuses; then it runs at normal priority.
  }
}

async function feed(child: GitProcess, input: string | Uint8Array | undefined): Promise<void> {
  if (input === undefined) child.stdin.end();
  else Readable.from([input]).pipe(child.stdin);
  // The status reports a broken pipe; here it matters only that nothing more is written.
  await finished(child.stdin).catch(() => undefined);
}

/** Returns undefined, and kills the process, if there is more output than `maxBytes`. */
async function collect(child: GitProcess, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let byteLength = 0;
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      byteLength += chunk.length;
      if (byteLength > maxBytes) {
        child.kill();
        return undefined;
      }
      chunks.push(chunk);
    }
  } catch {
    // `kill` destroyed the stream: the caller sees the abort or the status.
  }
  return Buffer.concat(chunks);
}
