// Answers: status, headers and bytes, ready to be sent any number of times, also as the 304 of a conditional request
// (RFC 9110, sections 8.8 and 13.1.2).
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

export type Headers = Readonly<Record<string, string>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** Undefined for answers that cannot be revalidated. */
  readonly etag: string | undefined;
  /** Headers of the 304 for this answer. */
  readonly notModifiedHeaders: Headers;
}

export const jsonType = "application/json; charset=utf-8";
export const textType = "text/plain; charset=utf-8";

export const cacheRules = {
  /** For bytes that never change at their address. */
  immutable: "public, max-age=31536000, immutable",
  /** For answers to cache and revalidate before each use. */
  revalidate: "no-cache",
  /** For refusals, failures and secrets: not cached. */
  none: "no-store",
} as const;

/** Headers of every answer: no sniffing, no referrer, no other origin's page around it. */
const standingHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

/** Policy of data: nothing in it may run or be framed. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

export interface AnswerParts {
  readonly body: Uint8Array | string;
  readonly type: string;
  readonly status?: number;
  readonly etag?: string;
  readonly cache?: string;
  readonly contentSecurityPolicy?: string;
  readonly headers?: Headers;
}

export function createAnswer(parts: AnswerParts): Answer {
  const body = toBuffer(parts.body);
  const kept = {
    ...(parts.etag === undefined ? {} : { etag: parts.etag }),
    "cache-control": parts.cache ?? cacheRules.revalidate,
    "content-security-policy": parts.contentSecurityPolicy ?? dataPolicy,
    ...standingHeaders,
    ...parts.headers,
  };
  return {
    status: parts.status ?? 200,
    headers: { "content-type": parts.type, "content-length": String(body.byteLength), ...kept },
    body,
    etag: parts.etag,
    notModifiedHeaders: kept,
  };
}

export function createJsonAnswer(value: unknown, parts: Omit<AnswerParts, "body" | "type"> = {}): Answer {
  return createAnswer({ ...parts, body: JSON.stringify(value), type: jsonType });
}

function toBuffer(body: Uint8Array | string): Buffer {
  if (typeof body === "string") return Buffer.from(body, "utf8");
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** Returns an entity tag; `hash` is hex digits, so nothing needs escaping. */
export function strongEtag(hash: string): string {
  return `"${hash}"`;
}

export function weakEtag(hash: string): string {
  return `W/"${hash}"`;
}

const entityTags = /(?:W\/)?("[\x21\x23-\x7e\x80-\uffff]*")/g;

/**
 * Returns true if the If-None-Match header has this entity tag. Compares weakly (RFC 9110, section 13.1.2) and ignores
 * anything in the header that is not an entity tag.
 */
export function isCurrent(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === "*") return true;
  const opaque = etag.startsWith("W/") ? etag.slice(2) : etag;
  for (const [, candidate] of ifNoneMatch.matchAll(entityTags)) {
    if (candidate === opaque) return true;
  }
  return false;
}

/** Sends the answer, or its 304. HEAD gets only the headers. */
export function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  if (isCurrent(request.headers["if-none-match"], answer.etag)) {
    response.writeHead(304, answer.notModifiedHeaders).end();
    return;
  }
  response.writeHead(answer.status, answer.headers);
  response.end(request.method === "HEAD" ? undefined : answer.body);
}

/** Writes the answer to a socket that has no response object, and ends it. */
export function endWithAnswer(socket: Duplex, answer: Answer): void {
  const lines = Object.entries({ ...answer.headers, connection: "close" }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ""}\r\n${lines.join("\r\n")}\r\n\r\n`;
  socket.once("finish", () => {
    socket.destroy();
  });
  socket.end(Buffer.concat([Buffer.from(head, "latin1"), answer.body]));
}
