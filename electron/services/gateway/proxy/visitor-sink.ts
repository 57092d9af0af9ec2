// Sends a response to the visitor through Node's response object, without anything that the origin did not send.
import { STATUS_CODES, type ServerResponse } from "node:http";
import { releaseMemory } from "../../../../shared/release-memory.ts";
import type { Sink } from "./delivery.ts";
import type { OwnAnswer } from "./own-answers.ts";

export class VisitorSink implements Sink {
  readonly #response: ServerResponse;
  #hasBytes = false;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  head(status: number, statusText: string, rawHeaders: readonly string[]): void {
    const response = this.#response;
    response.sendDate = false;
    response.writeHead(status, toReason(status, statusText), rawHeaders as string[]);
    // Sent together with the first bytes if these follow in this tick.
    process.nextTick(() => {
      if (!this.#hasBytes) response.flushHeaders();
    });
  }

  write(bytes: Buffer): boolean {
    this.#hasBytes = true;
    return this.#response.write(bytes);
  }

  writeLast(bytes: Buffer): boolean {
    this.#hasBytes = true;
    if (bytes.byteLength < leastReleased) return this.#response.write(bytes);
    return this.#response.write(bytes, () => {
      releaseMemory(bytes);
    });
  }

  end(rawTrailers: readonly string[]): void {
    this.#hasBytes = true;
    const response = this.#response;
    try {
      if (rawTrailers.length > 0 && response.chunkedEncoding) response.addTrailers(toPairs(rawTrailers));
    } finally {
      response.end();
    }
  }

  break(): void {
    const { socket } = this.#response;
    if (!socket) this.#response.destroy();
    // Written bytes still have to go out: Node passes them to the socket at the end of this tick.
    else {
      process.nextTick(() => {
        socket.destroySoon();
      });
    }
  }

  answer({ status, rawHeaders, body }: OwnAnswer): void {
    this.#hasBytes = true;
    const response = this.#response;
    if (response.headersSent || response.destroyed) {
      this.break();
      return;
    }
    response.sendDate = true;
    // With the usual reason phrase: a head that could not be sent has left its own behind.
    response.writeHead(status, STATUS_CODES[status] ?? "", rawHeaders);
    response.end(response.req.method === "HEAD" ? undefined : body);
  }
}

/** Chunks with memory of their own; smaller ones are slices of a buffer that is still in use. */
const leastReleased = 16 * 1024;

/** Returns the origin's reason phrase if it is plain text. */
function toReason(status: number, text: string): string {
  const usual = STATUS_CODES[status] ?? "";
  return text === usual || !/^[\t -~]*$/.test(text) ? usual : text;
}

function toPairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[index * 2]!, raw[index * 2 + 1]!]);
}
