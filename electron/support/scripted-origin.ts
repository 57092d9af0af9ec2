// An origin with scripted responses per path that records its requests.
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface SeenRequest {
  readonly method: string;
  /** The request target as received. */
  readonly target: string;
  /** Names and values alternating, as received. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

export interface ScriptedOrigin {
  /** Origin of the server, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  /** Sets the response for a path with any query; other paths are 404. */
  readonly answer: (path: string, answer: Answer) => void;
  /** A page of `text/html; charset=utf-8`. */
  readonly page: (path: string, html: string | Buffer, headers?: Readonly<Record<string, string>>) => void;
  /** Requests so far at a path, bodies read. */
  readonly seen: (path: string) => readonly SeenRequest[];
  readonly stop: () => Promise<void>;
}

export async function startScriptedOrigin(): Promise<ScriptedOrigin> {
  const answers = new Map<string, Answer>();
  const seen = new Map<string, SeenRequest[]>();
  const listener: RequestListener = (request, response) => {
    const path = request.url!.split("?", 1)[0]!;
    const record = { method: request.method!, target: request.url!, rawHeaders: request.rawHeaders };
    const pieces: Buffer[] = [];
    const requests = seen.get(path) ?? [];
    seen.set(path, requests);
    requests.push({
      ...record,
      get body() {
        return Buffer.concat(pieces);
      },
    });
    request.on("data", (piece: Buffer) => pieces.push(piece));
    const answer = answers.get(path);
    if (answer) answer(request, response);
    else response.writeHead(404, { "Content-Type": "text/plain" }).end("Nothing here.\n");
  };
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    answer: (path, answer) => void answers.set(path, answer),
    page: (path, html, headers = {}) => {
      const bytes = Buffer.from(html);
      answers.set(path, (_, response) => {
        response.writeHead(200, {
          "Content-Type": "text/html; charset=utf-8",
          "Content-Length": bytes.length,
          ...headers,
        });
        response.end(bytes);
      });
    },
    seen: (path) => seen.get(path) ?? [],
    stop: async () => {
      server.closeAllConnections();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}
