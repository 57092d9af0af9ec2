// A Git service for tests: the machine's own `git http-backend` behind node:http or node:https, with a token and
// injected faults.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";

export const hasGit = spawnSync("git", ["--version"]).status === 0;

/** Environment of all Git processes in these tests, without user settings. */
export const gitEnvironment = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_AUTHOR_NAME: "Echotop",
  GIT_AUTHOR_EMAIL: "echotop@localhost",
  GIT_COMMITTER_NAME: "Echotop",
  GIT_COMMITTER_EMAIL: "echotop@localhost",
};

export function git(directory: string, args: readonly string[], input?: string | Buffer): string {
  const { status, stdout, stderr } = spawnSync("git", ["-C", directory, ...args], {
    env: gitEnvironment,
    maxBuffer: 2 ** 28,
    ...(input === undefined ? {} : { input }),
  });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr.toString("utf8")}`);
  return stdout.toString("utf8").trim();
}

/** Creates a bare repository that accepts pushes, with missing folders. */
export function makeRepository(gitdir: string): void {
  mkdirSync(gitdir, { recursive: true });
  git(gitdir, ["init", "--quiet", "--bare", "--initial-branch=main"]);
  git(gitdir, ["config", "http.receivepack", "true"]);
}

export interface GitServiceOptions {
  /** Folder of the repositories. */
  readonly root: string;
  readonly token?: string;
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Called before Git; returns true if it has answered. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Number of response bytes before the connection breaks. */
  readonly cutAfter?: (request: IncomingMessage) => number | undefined;
}

export interface GitService {
  readonly origin: string;
  readonly requests: readonly string[];
  /** Bytes of the packs and reports that were sent. */
  close(): Promise<void>;
}

export async function startGitService(options: GitServiceOptions): Promise<GitService> {
  const requests: string[] = [];
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push(`${request.method} ${request.url}`);
    if (options.intercept?.(request, response)) return;
    if (options.token !== undefined && request.headers.authorization !== `Bearer ${options.token}`) {
      response.writeHead(401, { "www-authenticate": "Basic" }).end();
      return;
    }
    answer(request, response, options);
  };
  const server = options.tls ? createHttpsServer(options.tls, onRequest) : createHttpServer(onRequest);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${options.tls ? "https" : "http"}://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function answer(request: IncomingMessage, response: ServerResponse, options: GitServiceOptions): void {
  const url = new URL(request.url!, "http://x");
  const child = spawn("git", ["http-backend"], {
    env: {
      ...gitEnvironment,
      GIT_PROJECT_ROOT: options.root,
      GIT_HTTP_EXPORT_ALL: "1",
      REMOTE_USER: "somebody",
      REQUEST_METHOD: request.method!,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      CONTENT_LENGTH: request.headers["content-length"] ?? "",
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  // Some tests close the connection early on purpose.
  child.stdin.on("error", () => undefined);
  request.pipe(child.stdin);
  request.on("aborted", () => child.kill());
  let head: Buffer | undefined = Buffer.alloc(0);
  let left = options.cutAfter?.(request) ?? Infinity;
  child.stdout.on("data", (piece: Buffer) => {
    let body = piece;
    if (head) {
      head = Buffer.concat([head, piece]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      writeHead(response, head.toString("latin1", 0, end));
      body = head.subarray(end + 4);
      head = undefined;
    }
    response.write(body.subarray(0, left));
    left -= body.length;
    if (left <= 0) response.socket?.destroy();
  });
  child.stdout.on("end", () => response.end());
}

function writeHead(response: ServerResponse, head: string): void {
  let status = 200;
  const headers: Record<string, string> = {};
  for (const line of head.split("\r\n")) {
    const [, name = "", value = ""] = /^([^:]+): (.*)$/.exec(line) ?? [];
    if (name === "Status") status = Number(value.slice(0, 3));
    else headers[name] = value;
  }
  response.writeHead(status, headers);
}
