// Echotop as users run it: child processes of the command line, each with its own data directory and free port.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { projectRoot } from "../platform/project-root.ts";

export { projectRoot };

/** The program that `npm run echotop` runs. */
export const echotopProgram = join(projectRoot, ".vite", "cli", "cli.mjs");

export interface RunningHost {
  /** The storm listener's origin, such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** The API listener's origin; null while it is off. */
  readonly api: string | null;
  /** The gateway's origin; null while it is off. */
  readonly gateway: string | null;
  /** The admin listener's origin, if one is configured. */
  readonly admin: string | undefined;
  readonly dataDirectory: string;
  /** Returns the text on standard error so far. */
  readonly stderr: () => string;
  readonly process: ChildProcess;
  /** Interrupts the host and waits for its end; resolves with the exit status. */
  stop(): Promise<number | null>;
  /** Kills the host, like a power cut, and waits for its end. */
  kill(): Promise<void>;
}

export interface FinishedCommand {
  readonly status: number | null;
  /** Standard output, one parsed JSON value a line. */
  readonly lines: readonly Record<string, unknown>[];
  readonly stderr: string;
}

export function makeTemporaryDirectory(name: string): string {
  return mkdtempSync(join(tmpdir(), `echotop-${name}-`));
}

export function removeDirectory(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

function spawnCli(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(process.execPath, [echotopProgram, ...args], {
    cwd: projectRoot,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
}

function collectText(stream: NodeJS.ReadableStream): () => string {
  const chunks: string[] = [];
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => chunks.push(chunk));
  return () => chunks.join("");
}

function whenEnded(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      resolve(code);
    });
  });
}

/**
 * Starts `serve` on a free port, unless the arguments name one; resolves once it responds. `env` extends this process's
 * environment.
 */
export async function startHost(
  dataDirectory: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningHost> {
  const port = args.includes("--port") ? [] : ["--port", "0"];
  const child = spawnCli(["serve", "--data", dataDirectory, ...port, "--no-open", ...args], env);
  const stderr = collectText(child.stderr!);
  const ended = whenEnded(child);
  const lines = createInterface({ input: child.stdout! });
  const first = await Promise.race([
    new Promise<string>((resolve) => lines.once("line", resolve)),
    ended.then((status) => {
      throw new Error(`serve ended with status ${String(status)} before it listened: ${stderr()}`);
    }),
  ]);
  const { listening } = JSON.parse(first) as {
    listening: { storm: string; api: string | null; gateway: string | null; admin?: string };
  };
  return {
    origin: listening.storm,
    api: listening.api,
    gateway: listening.gateway,
    admin: listening.admin,
    dataDirectory,
    stderr,
    process: child,
    async stop() {
      child.kill("SIGINT");
      return ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Runs a command to its end. */
export async function runCommand(args: readonly string[]): Promise<FinishedCommand> {
  const child = spawnCli(args);
  const stdout = collectText(child.stdout!);
  const stderr = collectText(child.stderr!);
  const status = await whenEnded(child);
  const lines = stdout()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { status, lines, stderr: stderr() };
}
