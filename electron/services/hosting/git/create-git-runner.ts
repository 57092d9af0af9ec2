// Runs Git: clean environment, fixed options, a process group of its own for each run, noted on disk while it lives.
import { spawn as spawnProcess, type ChildProcessWithoutNullStreams } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ArtifactsError } from "../artifacts-error.ts";
import {
  attributes,
  attributesName,
  createGitEnvironment,
  gitOptions,
  runVariable,
} from "./git-environment.ts";
import {
  GitFailure,
  type GitAvailability,
  type GitCommand,
  type GitProcess,
  type GitRunner,
} from "./git-runner.ts";
import { killGroup } from "./process-groups.ts";
import { openRunningRegistry } from "./running-registry.ts";

export interface GitRunnerOptions {
  readonly availability: GitAvailability;
  /** `repositories/running` of the data directory; an empty `home` is made in it. */
  readonly runningDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** Git cleans up after itself when asked to end; after this long it is not asked any more. */
const graceMs = 2000;
const stderrTailBytes = 8192;
const defaultOutputBytes = 1024 * 1024;

export function createGitRunner(options: GitRunnerOptions): GitRunner {
  const { availability, runningDirectory, environment, platform } = options;
  const registry = openRunningRegistry(runningDirectory);
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
    if (child.pid !== undefined) registry.note(run, child.pid);
    if (child.pid !== undefined && command.priority === "low") lower(child.pid);
    const kill = (): void => {
      if (child.pid === undefined || alive.get(process) !== undefined) return;
      const { pid } = child;
      if (!alive.has(process)) return;
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
        throw new ArtifactsError("MEMORY_LIMIT", "Git answered with more than may be read at once.");
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

/** Resolves when the process is gone and nothing of its group holds its standard error any more. */
function watch(child: ChildProcessWithoutNullStreams): GitProcess["ended"] {
  let tail = Buffer.alloc(0);
  child.stderr.on("data", (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-stderrTailBytes);
  });
  // A process that ends before it has read everything breaks the pipe; its status says what happened.
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

function lower(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It is over already, or the system does not let us; either way it runs as any other.
  }
}

async function feed(child: GitProcess, input: string | Uint8Array | undefined): Promise<void> {
  if (input === undefined) child.stdin.end();
  else Readable.from([input]).pipe(child.stdin);
  // A broken pipe is told by the status; what matters here is that nothing is written any more.
  await finished(child.stdin).catch(() => undefined);
}

/** Undefined when there was more than `maxBytes`; the process is ended then. */
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
    return Buffer.concat(chunks); // torn down by `kill`: the caller sees the abort or the status
  }
  return Buffer.concat(chunks);
}
