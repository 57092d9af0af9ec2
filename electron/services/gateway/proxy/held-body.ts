// A body that is held back while its head is read, in the pieces that it came in.
import type { HeadFinding, HeadReader } from "../canonical/head-reader.ts";

/** Held of a body, as it came: far more than a head of the longest can be compressed to. */
const mostHeldBytes = 1024 * 1024;

export interface HeldBodyParts {
  readonly lookMs: number;
  readonly onFinding: (finding: HeadFinding) => void;
  readonly onLate: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
}

/** A body that is held back while its head is read. */
export class HeldBody {
  readonly held: Buffer[] = [];
  heldBytes = 0;
  /** Once the body is over. */
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
    this.#timer = setTimeout(parts.onLate, parts.lookMs);
  }

  write(bytes: Buffer): void {
    this.held.push(bytes);
    this.heldBytes += bytes.byteLength;
    if (this.heldBytes > mostHeldBytes) this.#parts.onFinding({ kind: "beyond-limit" });
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

  /** Reads what has come and was not read, one piece after the other. */
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
    // What the reader cannot take is no reason to keep the page from anybody.
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
