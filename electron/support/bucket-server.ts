// A local HTTP server with a bucket's listing and layout, for tests. It serves stored objects and misbehaves on
// request.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface StoredObject {
  /** The length in the listing. */
  readonly byteLength: number;
  /** The content, which a getter may make. */
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly lastModifiedAt: string;
}

/** Answers a request and returns true, or returns false. */
export type Misbehavior = (request: IncomingMessage, response: ServerResponse, url: URL) => boolean;

export interface BucketServer {
  /** Ends in a slash. */
  readonly url: string;
  /** The stored objects by key. */
  readonly objects: Map<string, StoredObject>;
  /** `GET /path?query` and the requested range, one for each request. */
  readonly requests: string[];
  /** Called first for each request; tests add and remove them. */
  readonly misbehaviors: Set<Misbehavior>;
  /** Keys per page; 1,000 by default. */
  pageSize: number;
  put(key: string, bytes: Uint8Array, lastModifiedAt?: string): void;
  close(): Promise<void>;
}

export async function startBucketServer(): Promise<BucketServer> {
  const objects = new Map<string, StoredObject>();
  const requests: string[] = [];
  const misbehaviors = new Set<Misbehavior>();
  const state = { pageSize: 1000 };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://bucket");
    requests.push(
      `GET ${request.url ?? ""}${request.headers.range === undefined ? "" : ` ${request.headers.range}`}`,
    );
    for (const misbehave of misbehaviors) if (misbehave(request, response, url)) return;
    if (url.searchParams.get("list-type") === "2") sendPage(response, url, objects, state.pageSize);
    else sendObject(request, response, objects.get(decodeURIComponent(url.pathname.slice(1))));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    objects,
    requests,
    misbehaviors,
    get pageSize() {
      return state.pageSize;
    },
    set pageSize(size) {
      state.pageSize = size;
    },
    put(key, bytes, lastModifiedAt = "2024-05-20T21:02:00.000Z") {
      const etag = createHash("md5").update(bytes).digest("hex");
      objects.set(key, { byteLength: bytes.byteLength, bytes, etag, lastModifiedAt });
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function sendPage(
  response: ServerResponse,
  url: URL,
  objects: ReadonlyMap<string, StoredObject>,
  pageSize: number,
): void {
  const prefix = url.searchParams.get("prefix") ?? "";
  const after = Buffer.from(url.searchParams.get("continuation-token") ?? "", "base64url").toString();
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const shown = keys.slice(0, pageSize);
  const last = keys.length > shown.length ? shown.at(-1) : undefined;
  sendXml(
    response,
    listingXml(
      shown.map((key) => [key, objects.get(key)!]),
      last && Buffer.from(last).toString("base64url"),
    ),
  );
}

export function sendXml(response: ServerResponse, xml: string): void {
  response.writeHead(200, { "content-type": "application/xml" }).end(xml);
}

/** Returns a page of ListObjectsV2, truncated if there is a `nextToken`. */
export function listingXml(
  entries: readonly (readonly [string, StoredObject])[],
  nextToken?: string,
): string {
  const contents = entries.map(
    ([key, { byteLength, etag, lastModifiedAt }]) =>
      `<Contents><Key>${key}</Key><LastModified>${lastModifiedAt}</LastModified><ETag>&quot;${etag}&quot;</ETag><Size>${byteLength}</Size></Contents>`,
  );
  const more = nextToken === undefined ? "" : `<NextContinuationToken>${nextToken}</NextContinuationToken>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>${nextToken !== undefined}</IsTruncated>${more}${contents.join("")}</ListBucketResult>`;
}

export function sendObject(
  request: IncomingMessage,
  response: ServerResponse,
  object: StoredObject | undefined,
): void {
  if (!object) {
    response
      .writeHead(404, { "content-type": "application/xml" })
      .end("<Error><Code>NoSuchKey</Code></Error>");
    return;
  }
  const { bytes, etag, lastModifiedAt } = object;
  const headers = {
    etag: `"${etag}"`,
    "last-modified": new Date(lastModifiedAt).toUTCString(),
    "content-type": "binary/octet-stream",
    "accept-ranges": "bytes",
  };
  if (request.headers["if-none-match"] === headers.etag) {
    response.writeHead(304, headers).end();
    return;
  }
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  if (start > 0 && request.headers["if-range"] === headers.etag) {
    const range = `bytes ${start}-${bytes.byteLength - 1}/${bytes.byteLength}`;
    response
      .writeHead(206, { ...headers, "content-range": range, "content-length": bytes.byteLength - start })
      .end(bytes.subarray(start));
    return;
  }
  response.writeHead(200, { ...headers, "content-length": bytes.byteLength }).end(bytes);
}
