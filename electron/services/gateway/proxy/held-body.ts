// A body that is held back, in the chunks in which it came, while its head is read.
import type { HeadFinding, HeadReader } from "../canonical/head-reader.ts";
import { proxyLimits } from "../gateway-limits.ts";

export interface HeldBodyParts {
  /** Timeout in ms. */
  readonly inspectMs: number;
  readonly onFinding: (finding: HeadFinding) => void;
  readonly onLate: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
}

export class HeldBody {
  readonly held: Buffer[] = [];
  heldBytes = 0;
  /** Set once the body has ended. */
  trailers: readonly string[] | undefined;
  readonly #reader: HeadReader;
  readonly #parts: HeldBodyParts;
  readonly #timer: NodeJS.Timeout;
  #read = 0;
  #isBusy = false;
  #isOver = false;

  constructor(reader: HeadReader, parts: HeldBodyParts) {
    this.#reader = reader;
    this.#parts = parts;
    this.#timer = setTimeout(parts.onLate, parts.inspectMs);
  }

  write(bytes: Buffer): void {
    this.held.push(bytes);
    this.heldBytes += bytes.byteLength;
    if (this.heldBytes > proxyLimits.heldBodyBytes) this.#parts.onFinding({ kind: "beyond-limit" });
    else this.#advance();
  }

  end(rawTrailers: readonly string[]): void {
    this.trailers = rawTrailers;
    this.#advance();
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#reader.close();
  }

  /** Reads the chunks that came and are unread, one after the other. */
  #advance(): void {
    while (this.#isReady()) {
      const bytes = this.held[this.#read];
      if (bytes === undefined && !this.trailers) return;
      const finding = bytes === undefined ? this.#reader.end() : this.#reader.write(bytes);
      this.#read += 1;
      if (finding instanceof Promise) void this.#await(finding);
      else if (finding) this.#parts.onFinding(finding);
    }
  }

  #isReady(): boolean {
    return !this.#isBusy && !this.#isOver;
  }

  async #await(coming: Promise<HeadFinding | undefined>): Promise<void> {
    this.#isBusy = true;
    this.#parts.pause();
    // A fault of the reader must not keep the page from the visitor.
    const finding = await coming.catch((): HeadFinding => ({ kind: "undecodable", cause: "broken" }));
    this.#isBusy = false;
    if (this.#isOver) return;
    if (finding) {
      this.#parts.onFinding(finding);
      return;
    }
    this.#advance();
    if (this.#isReady()) this.#parts.resume();
  }
}
