// Reads a small request body into memory, and as JSON.
import type { IncomingMessage } from "node:http";

/**
 * Returns the body, or undefined if it is longer than `maxBytes`; the rest is then discarded. Throws if the connection
 * ends first.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let byteLength = 0;
  // Leaving the loop early must not destroy the request: its socket carries the refusal.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    byteLength += chunk.byteLength;
    if (byteLength > maxBytes) {
      request.resume();
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, byteLength);
}

/** Throws if the bytes are not JSON in UTF-8. */
export function parseJson(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}

/** Returns true if the request announces a body that is not empty. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
