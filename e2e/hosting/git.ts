// Stock Git as a user has it, in a clean environment without the machine's configuration.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram, type Finished } from "../support/run-program.ts";

export const hasGit = spawnSync("git", ["--version"]).status === 0;

export interface GitOptions {
  readonly cwd?: string;
  /** Sent as a bearer token; never an argument. */
  readonly token?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
}

/** Runs stock Git with no configuration except an identity. */
export function git(
  args: readonly string[],
  { cwd, token, env = {}, input }: GitOptions = {},
): Promise<Finished> {
  return runProgram("git", args, {
    ...(cwd === undefined ? {} : { cwd }),
    ...(input === undefined ? {} : { input }),
    env: { ...gitEnvironment(token), ...env },
  });
}

/** Runs Git, which must succeed; returns its standard output without the final newline. */
export async function gitOk(args: readonly string[], options: GitOptions = {}): Promise<string> {
  const { status, stdout, stderr } = await git(args, options);
  if (status !== 0) throw new Error(`git ${args.join(" ")} ended with ${String(status)}: ${stderr}`);
  return stdout.toString("utf8").trimEnd();
}

export function gitEnvironment(token?: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: join(process.cwd(), "no-home"),
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: process.platform === "win32" ? "NUL" : "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: "Tester",
    GIT_AUTHOR_EMAIL: "tester@example.invalid",
    GIT_COMMITTER_NAME: "Tester",
    GIT_COMMITTER_EMAIL: "tester@example.invalid",
    GIT_CONFIG_COUNT: token === undefined ? "1" : "2",
    // Clones and work trees are temporary.
    GIT_CONFIG_KEY_0: "core.fsync",
    GIT_CONFIG_VALUE_0: "none",
    ...(token !== undefined && {
      GIT_CONFIG_KEY_1: "http.extraHeader",
      GIT_CONFIG_VALUE_1: `Authorization: Bearer ${token}`,
    }),
  };
}

/** Creates a work tree with one commit on main and a remote `origin`; returns its path. */
export async function makeWorkTree(
  folder: string,
  remote: string,
  files: Readonly<Record<string, string | Uint8Array>> = { "a.txt": "first\n" },
): Promise<string> {
  await gitOk(["init", "--quiet", "--initial-branch=main", folder]);
  await gitOk(["remote", "add", "origin", remote], { cwd: folder });
  await commitFiles(folder, files, "first");
  return folder;
}

export async function commitFiles(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  message: string,
): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  await gitOk(["add", "--all"], { cwd: folder });
  await gitOk(["commit", "--quiet", "-m", message], { cwd: folder });
  return gitOk(["rev-parse", "HEAD"], { cwd: folder });
}
