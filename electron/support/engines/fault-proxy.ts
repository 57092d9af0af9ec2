// An HTTP proxy in front of a server, for tests: it breaks the requests that a test chooses.
import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import type { AddressInfo } from "node:net";

export type Fault =
  /** Answers with the status, and forwards nothing. */
  | 500
  | 503
  /** Refuses, and repeats the signature of the request as real servers do. */
  | 403
  /** Cuts the answer in the middle of its body. */
  | "cut"
  /** Forwards the request, and closes the connection without an answer. */
  | "silent"
  /** Answers 200 to an upload, and forwards nothing. */
  | "lie"
  /** Changes a byte of the answer. */
  | "damage"
  /** Never answers. */
  | "stall";

const errorCodes = { 403: "AccessDenied", 500: "InternalError", 503: "SlowDown" } as const;

export interface FaultProxy {
  readonly endpoint: string;
  /** Chooses the fault of each request; undefined forwards it. */
  choose: (method: string, path: string) => Fault | undefined;
  close(): Promise<void>;
}

export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let choose: FaultProxy["choose"] = () => undefined;
  const server = createServer((request, response) => {
    const fault = choose(request.method!, request.url!);
    // A client that gave up is part of the trial.
    serve(request, response, target, fault).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get choose() {
      return choose;
    },
    set choose(chooser) {
      choose = chooser;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  fault: Fault | undefined,
): Promise<void> {
  const body = await buffer(request);
  if (fault === "stall") return;
  if (fault === "lie" && request.method === "PUT") {
    response.writeHead(200, { etag: '"0"' }).end();
    return;
  }
  if (typeof fault === "number") {
    const code = errorCodes[fault];
    const message = fault === 403 ? String(request.headers.authorization) : "Trouble";
    response.writeHead(fault, { "content-type": "application/xml" });
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`);
    return;
  }
  const answer = await forward(request, body, target);
  const bytes = await buffer(answer);
  if (fault === "silent") {
    response.destroy();
    return;
  }
  if (fault === "damage" && bytes.byteLength > 0) bytes[bytes.byteLength >> 1]! ^= 1;
  response.writeHead(answer.statusCode!, answer.rawHeaders);
  if (fault !== "cut") {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, bytes.byteLength >> 1), () => response.destroy());
}

/** Sends a request with its own headers, since `Host` is signed. */
function forward(request: IncomingMessage, body: Uint8Array, target: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, headers, url } = request;
    const forwarded = sendRequest(new URL(url!, target), { method, headers, agent: false }, resolve);
    forwarded.once("error", reject).end(body);
  });
}
