// The visitor's end of an answer: Node's response object, fed so that nothing of its own is added to what an origin said.
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
    // Together with the first bytes, if they are here already; by itself if they are not.
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
    // What was written is still to go out, and is handed to the socket at the end of this turn.
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
    // Said in full: a head that could not be sent has left its own words behind.
    response.writeHead(status, STATUS_CODES[status] ?? "", rawHeaders);
    response.end(response.req.method === "HEAD" ? undefined : body);
  }
}

/** Pieces that have memory of their own; smaller ones are parts of what is still being read, and not worth the call. */
const leastReleased = 16 * 1024;

/** The origin's words, if they are text; they mean nothing to a program. */
function toReason(status: number, text: string): string {
  const usual = STATUS_CODES[status] ?? "";
  return text === usual || !/^[\t -~]*$/.test(text) ? usual : text;
}

function toPairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[index * 2]!, raw[index * 2 + 1]!]);
}
