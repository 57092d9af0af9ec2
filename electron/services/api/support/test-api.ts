// Starts an API listener with a small part, for tests of the listener only; closes it after the test.
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import type { LogLevel } from "../../../platform/effects.ts";
import type { ApiPart, PlatformPermission } from "../api-part.ts";
import { createApiServer, type ApiServer, type ApiServerOptions } from "../api-server.ts";
import { openPlatformTokens, type PlatformTokens } from "../platform-tokens.ts";

export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>> | undefined;
}

export class KnownFault extends Error {}

/** Returns a part: `/things` echoes, `/fail` throws, `/raw` streams; `/git/` answers with what it reads. */
export function createTestPart(): ApiPart {
  return {
    isShared: true,
    routes: [
      {
        method: "GET",
        path: "/accounts/:account/things/:name",
        permission: "artifacts:read",
        handle: ({ params, query, origin }) =>
          Promise.resolve({
            result: { params, query: [...query], origin },
            resultInfo: { count: 1 },
          }),
      },
      {
        method: "POST",
        path: "/accounts/:account/things",
        permission: "artifacts:edit",
        handle: ({ body }) => Promise.resolve({ status: 201, result: body ?? "nothing" }),
      },
      {
        method: "GET",
        path: "/fail/:how",
        permission: "artifacts:read",
        handle: ({ params }) => Promise.reject(toFault(params.how!)),
      },
      {
        method: "GET",
        path: "/raw/:how",
        permission: "artifacts:read",
        handle: ({ params }) =>
          Promise.resolve({
            raw: params.how === "bytes" ? Buffer.from("picture") : Readable.from(parts(params.how!)),
            headers:
              params.how === "bytes"
                ? { "content-type": "image/png", etag: '"abc"', "cache-control": "public, immutable" }
                : { "content-type": "text/plain" },
          }),
      },
      {
        method: "GET",
        path: "/zones/:zone/settings",
        permission: "zone-settings:edit",
        handle: () => Promise.resolve({ result: null }),
      },
    ],
    toProblem: (error) =>
      error instanceof KnownFault
        ? { status: 409, code: 10_201, message: error.message, headers: { "retry-after": "1" } }
        : undefined,
    raw: {
      prefix: "/git/",
      handle: (request, response, origin) => {
        if (request.url === "/git/throws") throw new Error("Broken with ept_0123.");
        if (request.url === "/git/refused") {
          response.writeHead(401).end("no");
          return;
        }
        let byteLength = 0;
        request.on("data", (chunk: Buffer) => (byteLength += chunk.byteLength));
        request.on("end", () => response.end(`${request.method} ${request.url} ${origin} ${byteLength}`));
      },
    },
  };
}

function toFault(how: string): Error {
  if (how === "known") return new KnownFault("There is one already.");
  const secret = `art_v1_${"a".repeat(40)}?expires=1`;
  return new Error(`https://x:${secret}@host/ said no to ${secret}.`, {
    cause: new Error(`Bearer ${secret}`),
  });
}

async function* parts(how: string): AsyncGenerator<string, void, undefined> {
  yield "one ";
  await Promise.resolve();
  if (how === "broken") throw new Error("The stream broke.");
  yield "two";
}

export interface TestApi {
  readonly server: ApiServer;
  readonly tokens: PlatformTokens;
  readonly log: LogEntry[];
  readonly origin: string;
  readonly port: number;
  readonly secretOf: (permission: PlatformPermission) => string;
  /** Sends a request with a token of this permission; `none` sends none. */
  readonly ask: (
    path: string,
    permission?: PlatformPermission | "none",
    init?: RequestInit,
  ) => Promise<Response>;
  /** Sends bytes, and reads until the service ends the connection. */
  readonly sendRaw: (bytes: string) => Promise<string>;
}

export async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "echotop-api-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

export async function startTestApi(options: Partial<ApiServerOptions> = {}): Promise<TestApi> {
  const directory = await makeDirectory();
  const tokens = await openPlatformTokens({ directory, file: "make", now: () => new Date() });
  const log: LogEntry[] = [];
  const server = createApiServer({
    parts: [createTestPart()],
    tokens,
    accountId: "local",
    log: (level, message, facts) => log.push({ level, message, facts }),
    ...options,
  });
  onTestFinished(async () => {
    await server.close();
    tokens.close();
  });
  const { origin, port } = await server.listen({ port: 0 });
  const secretOf = (permission: PlatformPermission): string => tokens.create({ permission }).plaintext;
  return {
    server,
    tokens,
    log,
    origin,
    port,
    secretOf,
    ask: (path, permission = "artifacts:read", init = {}) =>
      fetch(`${origin}${path}`, {
        ...init,
        headers: {
          ...(permission !== "none" && { authorization: `Bearer ${secretOf(permission)}` }),
          ...(init.headers as Record<string, string> | undefined),
        },
      }),
    sendRaw: (bytes) => sendRaw(port, bytes),
  };
}

export async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.setTimeout(10_000, () => socket.destroy(new Error("The service did not end the connection.")));
  socket.write(Buffer.from(bytes, "latin1"));
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of socket) chunks.push(chunk as Buffer);
  } catch (error) {
    // The service may reset the connection after the answer.
    if ((error as NodeJS.ErrnoException).code !== "ECONNRESET") throw error;
  } finally {
    socket.destroy();
  }
  return Buffer.concat(chunks).toString("latin1");
}
