// A host with repository hosting, and the two programs that its users have: curl for the control plane, Git for the rest. Both
// run with an environment of their own, so that nothing of the machine's configuration helps or harms.
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  makeTemporaryDirectory,
  removeDirectory,
  runCommand,
  startHost,
  type RunningHost,
} from "../support/host-process.ts";

export const namespace = "events";

export interface Hosting {
  /** A folder for clones and the like, removed at the end. */
  readonly folder: string;
  readonly data: string;
  /** The API listener's origin. */
  readonly api: string;
  /** `…/accounts/local/artifacts/namespaces/events` */
  readonly base: string;
  readonly edit: string;
  readonly read: string;
  readonly host: () => RunningHost;
  /** Ends the host and starts it again on the same data and port. */
  restart(end?: "interrupt" | "kill"): Promise<void>;
  stop(): Promise<void>;
}

export interface HostingOptions {
  /** Of the configuration file's `repositories`, beside the port. */
  readonly repositories?: Readonly<Record<string, unknown>>;
  /** Of the host's process, beside what it has. */
  readonly env?: Readonly<Record<string, string>>;
}

export const hasGit = spawnSync("git", ["--version"]).status === 0;
export const hasCurl = spawnSync("curl", ["--version"]).status === 0;
/** What a skipped test says of the machine. */
export const missing = [...(hasGit ? [] : ["Git"]), ...(hasCurl ? [] : ["curl"])].join(" and ");

export async function startHosting({ repositories = {}, env = {} }: HostingOptions = {}): Promise<Hosting> {
  const folder = makeTemporaryDirectory("hosting");
  const data = join(folder, "data");
  const config = join(folder, "echotop.json");
  const serve = (port: number): Promise<RunningHost> => {
    const file = {
      compatibility_date: "2026-11-20",
      account_id: "local",
      artifacts: [{ binding: "PACKS", namespace }],
      repositories: { port, ...repositories },
    };
    writeFileSync(config, JSON.stringify(file));
    return startHost(data, ["--config", config], env);
  };
  let host = await serve(0);
  const api = host.api!;
  const [edit, read] = await Promise.all([
    createPlatformToken(data, "artifacts:edit"),
    createPlatformToken(data, "artifacts:read"),
  ]);
  return {
    folder,
    data,
    api,
    base: `${api}/client/v4/accounts/local/artifacts/namespaces/${namespace}`,
    edit,
    read,
    host: () => host,
    async restart(end = "interrupt") {
      if (end === "kill") await host.kill();
      else await host.stop();
      host = await serve(Number(new URL(api).port));
    },
    async stop() {
      await host.stop();
      removeDirectory(folder);
    },
  };
}

export async function createPlatformToken(data: string, permission: string): Promise<string> {
  const { status, lines, stderr } = await runCommand([
    ...["token", "create", "--data", data, "--permission", permission],
  ]);
  if (status !== 0) throw new Error(`token create ended with ${String(status)}: ${stderr}`);
  return (lines[0] as { plaintext: string }).plaintext;
}

export interface Answer {
  readonly status: number;
  /** Lower-case names; the last of a repeated one. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Envelope {
  readonly result: unknown;
  readonly success: boolean;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
  readonly messages: readonly unknown[];
  readonly result_info?: Readonly<Record<string, unknown>>;
}

/** What curl got. The target is sent as it is written. */
export async function curl(url: string, args: readonly string[] = []): Promise<Answer> {
  const { stdout } = await run("curl", ["-sS", "-i", "--path-as-is", "--max-time", "60", ...args, url]);
  return parseAnswer(stdout);
}

export interface Call {
  readonly token?: string;
  readonly method?: string;
  readonly json?: unknown;
}

/** A call of the control plane, with its envelope where the body is one. */
export async function call(
  url: string,
  { token, method, json }: Call = {},
): Promise<Answer & { readonly envelope: Envelope }> {
  const answer = await curl(url, [
    ...(method === undefined ? [] : ["-X", method]),
    ...(token === undefined ? [] : ["-H", `Authorization: Bearer ${token}`]),
    ...(json === undefined
      ? []
      : ["-H", "Content-Type: application/json", "--data-binary", JSON.stringify(json)]),
  ]);
  return { ...answer, envelope: JSON.parse(answer.body.toString("utf8")) as Envelope };
}

export interface CreatedRepository {
  readonly id: string;
  readonly name: string;
  readonly remote: string;
  readonly token: string;
}

export async function createRepository(
  { base, edit }: Hosting,
  draft: { readonly name: string } & Readonly<Record<string, unknown>>,
): Promise<CreatedRepository> {
  const { status, envelope } = await call(`${base}/repos`, { token: edit, method: "POST", json: draft });
  if (status !== 201) throw new Error(`create answered ${status}: ${JSON.stringify(envelope.errors)}`);
  return envelope.result as CreatedRepository;
}

export async function createRepositoryToken(
  { base, edit }: Hosting,
  draft: { readonly repo: string } & Readonly<Record<string, unknown>>,
): Promise<{ readonly id: string; readonly plaintext: string; readonly expires_at: string }> {
  const { status, envelope } = await call(`${base}/tokens`, { token: edit, method: "POST", json: draft });
  if (status !== 201) throw new Error(`tokens answered ${status}: ${JSON.stringify(envelope.errors)}`);
  return envelope.result as { id: string; plaintext: string; expires_at: string };
}

export interface Finished {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface GitOptions {
  readonly cwd?: string;
  /** Sent as a bearer; never an argument. */
  readonly token?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
}

/** Stock Git without any configuration but an identity. */
export function git(
  args: readonly string[],
  { cwd, token, env = {}, input }: GitOptions = {},
): Promise<Finished> {
  return run("git", args, {
    ...(cwd === undefined ? {} : { cwd }),
    ...(input === undefined ? {} : { input }),
    env: { ...gitEnvironment(token), ...env },
  });
}

/** Git that must succeed; gives its standard output without the line's end. */
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
    // Clones and work trees here are thrown away.
    GIT_CONFIG_KEY_0: "core.fsync",
    GIT_CONFIG_VALUE_0: "none",
    ...(token !== undefined && {
      GIT_CONFIG_KEY_1: "http.extraHeader",
      GIT_CONFIG_VALUE_1: `Authorization: Bearer ${token}`,
    }),
  };
}

/** A work tree with one commit on main and a remote `origin`; gives its path. */
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

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
}

function run(
  program: string,
  args: readonly string[],
  { input, ...options }: RunOptions = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      {
        ...options,
        encoding: "buffer",
        maxBuffer: 512 * 1024 * 1024,
        timeout: 120_000,
        killSignal: "SIGKILL",
      },
      (error, stdout, stderr) => {
        if (error && typeof error.code === "string")
          reject(new Error(`${program} cannot be run: ${error.message}`));
        else resolve({ status: child.exitCode, stdout, stderr: stderr.toString("utf8") });
      },
    );
    child.stdin!.on("error", () => undefined);
    child.stdin!.end(input);
  });
}

function parseAnswer(bytes: Buffer): Answer {
  const end = bytes.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/[\d.]+ (\d{3})/.exec(statusLine)?.[1]);
  const rest = bytes.subarray(end + 4);
  if (status === 100) return parseAnswer(rest);
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  return { status, headers, body: rest };
}
