// For tests: the transport behind a plain HTTP server, with one repository whose tokens are `write-token` and
// `read-token`, and stock Git as its client in a clean environment.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RepositoryRecord, RepositoryScope } from "../hosting-records.ts";
import { createGitRunner, type GitRunner } from "../git/git-runner.ts";
import { findGit, type GitAvailability } from "../git/find-git.ts";

import { createGitTransport, type GitTransport, type GitTransportOptions } from "../git/git-transport.ts";

export const machineGit: GitAvailability = await findGit({
  configured: "auto",
  environment: process.env,
  platform: process.platform,
});

export interface GitAnswer {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface TestServer {
  readonly folder: string;
  readonly repository: string;
  readonly transport: GitTransport;
  readonly runner: GitRunner;
  readonly origin: string;
  /** Address with the token as password. */
  readonly remote: (token?: string) => string;
  readonly pushes: string[];
  /** Token of each push; null for one from this process. */
  readonly pushTokens: (string | null)[];
  readonly fetches: string[];
  readonly log: string[];
  readOnly: boolean;
  /** True lets the audit trail fail. */
  isAuditFull: boolean;
  git(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<GitAnswer>;
  startGit(args: readonly string[]): ChildProcess;
  http(path: string, options?: HttpOptions): Promise<HttpAnswer>;
  /** Pushes from this process; resolves with Git's report. */
  receive(body: Buffer, signal?: AbortSignal): Promise<string>;
  /** Returns names in the object store other than complete packs and objects. */
  strays(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface HttpOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export type TestServerOptions = Partial<Omit<GitTransportOptions, "repositories" | "log">> & {
  readonly environment?: Readonly<Record<string, string | undefined>>;
};

export async function startGitServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "echotop-transport-"));
  const repository = join(folder, "git", "0123456789abcdef.git");
  await mkdir(join(folder, "git"));
  const runner =
    options.runner ??
    createGitRunner({
      availability: machineGit,
      runningDirectory: join(folder, "running"),
      environment: options.environment ?? process.env,
      platform: process.platform,
    });
  const seen = {
    pushes: [] as string[],
    pushTokens: [] as (string | null)[],
    fetches: [] as string[],
    log: [] as string[],
    readOnly: false,
    isAuditFull: false,
  };
  const note = (work: () => unknown): Promise<void> =>
    seen.isAuditFull ? Promise.reject(new Error("database or disk is full")) : Promise.resolve(void work());
  const transport = createGitTransport({
    maxPackBytes: 2 ** 31,
    ...options,
    runner,
    log: (level, message, facts) => seen.log.push(`${level} ${message} ${JSON.stringify(facts)}`),
    repositories: {
      authorizeGit: (namespace, name, secret) => {
        const scope: RepositoryScope | undefined =
          secret === "write-token" ? "write" : secret === "read-token" ? "read" : undefined;
        const known = namespace === "events" && name.toLowerCase() === "ev-a" && scope !== undefined;
        return Promise.resolve(
          known ? { repository: record(seen.readOnly), scope, tokenId: `${scope}-id` } : undefined,
        );
      },
      directoryOf: () => repository,
      notePush: (_repository, token, detail) =>
        note(() => {
          seen.pushes.push(detail);
          seen.pushTokens.push(token);
        }),
      noteFetch: (_repository, token) => note(() => seen.fetches.push(token)),
    },
  });
  const server = createServer((request, response) => {
    transport.handle(request, response, origin);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const git: TestServer["git"] = (args, env = {}) =>
    new Promise((resolve) => {
      const all = { ...clientEnvironment(folder), ...env };
      execFile("git", args, { cwd: folder, env: all, maxBuffer: 2 ** 26 }, (error, out, err) => {
        resolve({ status: error === null ? 0 : typeof error.code === "number" ? error.code : 1, out, err });
      });
    });
  if ("git" in machineGit) await git(["init", "--bare", "--quiet", "--initial-branch=main", repository]);
  return Object.assign(seen, {
    folder,
    repository,
    transport,
    runner,
    origin,
    remote: (token = "write-token") => `${origin.replace("//", `//x:${token}@`)}/git/events/ev-a.git`,
    git,
    startGit: (args: readonly string[]) =>
      spawn("git", args, { cwd: folder, env: clientEnvironment(folder), stdio: "ignore" }),
    http: (path: string, http: HttpOptions = {}) => askHttp(origin, path, http),
    receive: async (body: Buffer, signal = new AbortController().signal) =>
      (await transport.receive(record(seen.readOnly), toStream(body), signal)).toString("latin1"),
    strays: () => strays(repository),
    close: async () => {
      await transport.close();
      await runner.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  });
}

function clientEnvironment(folder: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@localhost",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@localhost",
    LC_ALL: "C",
  };
}

async function* toStream(body: Buffer): AsyncGenerator<Buffer> {
  await Promise.resolve();
  yield body;
}

function record(readOnly: boolean): RepositoryRecord {
  const at = "2026-11-20T00:00:00.000Z";
  return {
    id: "0123456789abcdef",
    namespace: "events",
    name: "ev-a",
    description: null,
    defaultBranch: "main",
    createdAt: at,
    updatedAt: at,
    lastPushAt: null,
    source: null,
    readOnly,
    status: "ready",
  };
}

function askHttp(origin: string, path: string, options: HttpOptions): Promise<HttpAnswer> {
  const { hostname, port } = new URL(origin);
  const { method = "GET", headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, method, headers: { ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}

async function strays(repository: string): Promise<readonly string[]> {
  const names = await readdir(join(repository, "objects"), { recursive: true });
  return names.filter((name) => /tmp|incoming|\.lock|\.keep/.test(name));
}
