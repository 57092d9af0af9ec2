// Another Git service for tests: its own TLS, `git http-backend`, and paths that misbehave as services do.
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join, normalize } from "node:path";
import { generate } from "selfsigned";

export interface GitServer {
  readonly port: number;
  /** PEM file of the self-signed certificate. */
  readonly caFile: string;
  /** Number of TCP connections so far. */
  readonly connections: () => number;
  /** Requests so far, method and path. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export const serverName = "git.example.test";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Serves the bare repositories in `folder` under `/git/`, and their files as they are (Git's old protocol) under
 * `/dumb/`.
 */
export async function startGitServer(folder: string): Promise<GitServer> {
  const pems = await generate([{ name: "commonName", value: serverName }], {
    keyType: "ec",
    extensions: [
      { name: "basicConstraints", cA: true },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: serverName },
          { type: 7, ip: "127.0.0.1" },
        ],
      },
    ],
  });
  const requests: string[] = [];
  let connections = 0;
  const server = createServer({ key: pems.private, cert: pems.cert }, (request, response) => {
    requests.push(`${request.method ?? ""} ${request.url ?? ""}`);
    const first = /^\/([a-z0-9]+)\//.exec(request.url ?? "")?.[1] ?? "";
    const answer = answers(folder)[first] ?? status(404);
    answer(request, response);
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const caFile = join(folder, `authority-${port}.pem`);
  await writeFile(caFile, pems.cert);
  return {
    ...{ port, caFile, requests },
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function status(code: number, headers: Record<string, string> = {}): Answer {
  return (_, response) => {
    response.writeHead(code, headers).end("no");
  };
}

function answers(folder: string): Readonly<Record<string, Answer | undefined>> {
  return {
    git: (request, response) => {
      runBackend(folder, request, response);
    },
    dumb: (request, response) => {
      void sendFile(folder, request, response);
    },
    auth: status(401, { "www-authenticate": 'Basic realm="x"' }),
    forbidden: status(403),
    failing: status(500),
    page: (_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<html>hello</html>");
    },
    silent: () => undefined,
    redirect: (request, response) => {
      const target = new URL(request.url ?? "", `https://${request.headers.host ?? ""}`);
      response.writeHead(302, { location: target.href.replace("/redirect/", "/git/") }).end();
    },
    inside: status(302, { location: "http://127.0.0.1:9/latest/meta-data/" }),
    // Endless, and faster than any limit of a test.
    endless: (_, response) => {
      response.writeHead(200, { "content-type": "application/x-git-upload-pack-advertisement" });
      const chunk = Buffer.alloc(65_536, "0");
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", more);
      more();
    },
  };
}

async function sendFile(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = normalize(
    decodeURIComponent(new URL(request.url ?? "", "https://x").pathname).slice("/dumb".length),
  );
  try {
    response.writeHead(200, { "content-type": "text/plain" }).end(await readFile(join(folder, path)));
  } catch {
    response.writeHead(404).end();
  }
}

function runBackend(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "", "https://x");
  const child = spawn("git", ["-c", "safe.directory=*", "http-backend"], {
    env: {
      PATH: process.env.PATH,
      ...{ GIT_PROJECT_ROOT: folder, GIT_HTTP_EXPORT_ALL: "1", GIT_CONFIG_NOSYSTEM: "1" },
      ...{
        PATH_INFO: decodeURIComponent(url.pathname.slice("/git".length)),
        QUERY_STRING: url.search.slice(1),
      },
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  request.pipe(child.stdin);
  child.stdin.on("error", () => undefined);
  response.on("close", () => child.kill());
  let head = Buffer.alloc(0);
  const readHead = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) return;
    child.stdout.off("data", readHead);
    for (const line of head.toString("latin1", 0, end).split("\r\n")) {
      const [name = "", value = ""] = line.split(": ");
      if (name === "Status") response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.write(head.subarray(end + 4));
    child.stdout.pipe(response);
  };
  child.stdout.on("data", readHead);
}
