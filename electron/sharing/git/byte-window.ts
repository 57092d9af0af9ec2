// A moving view of a byte stream: keeps in memory what a reader requires, and passes on what it has advanced over.
import { PackRefused } from "./packfile-limits.ts";
import { releaseMemory } from "../../../shared/release-memory.ts";

/** For one reader. Takes ownership of the pieces that the source yields and frees their memory. */
export class ByteWindow {
  readonly #source: AsyncIterator<Buffer>;
  readonly #maxBytes: number;
  #bytes: Buffer = Buffer.alloc(0);
  #offset = 0;
  #passed: Buffer[] = [];
  /** The memory of `#bytes` if it was joined here. */
  #joined: Buffer | undefined;
  /** Joined memory that holds only bytes already passed on. */
  #spent: Buffer[] = [];
  #ended = false;
  #received = 0;

  constructor(source: AsyncIterable<Buffer>, maxBytes: number) {
    this.#source = source[Symbol.asyncIterator]();
    this.#maxBytes = maxBytes;
  }

  /** Bytes of the stream so far. */
  get receivedBytes(): number {
    return this.#received;
  }

  /** Reads until so many bytes are available or the stream ends. Returns false if it ended first. */
  async require(byteLength: number): Promise<boolean> {
    if (this.#bytes.length - this.#offset >= byteLength) return true;
    this.#passed.push(...this.#cutOff());
    // Joined once at the end: joining each piece would copy a large object many times.
    const pieces = [this.#bytes];
    let available = this.#bytes.length;
    for (let piece = await this.#read(); piece !== undefined; piece = await this.#read()) {
      pieces.push(piece);
      available += piece.length;
      if (available >= byteLength) break;
    }
    const filled = pieces.filter(({ length }) => length > 0);
    if (filled.length === 1) this.#bytes = filled[0]!;
    else {
      // Parts of the joined memory before may still wait in `#passed`.
      if (this.#joined !== undefined) this.#spent.push(this.#joined);
      this.#joined = Buffer.concat(filled);
      this.#bytes = this.#joined;
      for (const piece of pieces.slice(1)) releaseMemory(piece);
    }
    return available >= byteLength;
  }

  /** Bytes in memory that were not advanced over: a view, valid until the next `require`. */
  get available(): Buffer {
    return this.#bytes.subarray(this.#offset);
  }

  advance(byteLength: number): void {
    this.#offset += byteLength;
  }

  /** Yields the bytes advanced over since the last call, each once; a piece is valid until the next is requested. */
  *passed(): Generator<Buffer> {
    // Small pieces wait for more: one write an object would cost more than reading it.
    if (this.#passed.length > 0) {
      yield* this.#passed;
      this.#passed = [];
    }
    if (this.#offset === this.#bytes.length || this.#ended) yield* this.#cutOff();
    for (const memory of this.#spent) releaseMemory(memory);
    this.#spent = [];
  }

  *#cutOff(): Generator<Buffer> {
    if (this.#offset === 0) return;
    const front = this.#bytes.subarray(0, this.#offset);
    this.#bytes = this.#bytes.subarray(this.#offset);
    this.#offset = 0;
    yield front;
  }

  async #read(): Promise<Buffer | undefined> {
    if (this.#ended) return undefined;
    const next = await this.#source.next();
    if (next.done === true) {
      this.#ended = true;
      return undefined;
    }
    this.#received += next.value.length;
    if (this.#received > this.#maxBytes) {
      throw new PackRefused(`pack exceeds maximum allowed size (${this.#maxBytes} bytes)`);
    }
    return next.value;
  }
}
