// A moving view of a byte stream: as much as a reader asks for stays in memory, what it has stepped over is handed on.
import { PackRefused } from "./packfile-limits.ts";
import { releaseMemory } from "../../../shared/release-memory.ts";

/** Not to be shared: one reader moves it. What the source yields becomes the window's own, which gives its memory back. */
export class ByteWindow {
  readonly #source: AsyncIterator<Buffer>;
  readonly #maxBytes: number;
  #bytes: Buffer = Buffer.alloc(0);
  #offset = 0;
  #passed: Buffer[] = [];
  /** The memory of `bytes`, where it was joined here. */
  #joined: Buffer | undefined;
  /** Such memory that holds nothing any more but what was passed on. */
  #spent: Buffer[] = [];
  #ended = false;
  #received = 0;

  constructor(source: AsyncIterable<Buffer>, maxBytes: number) {
    this.#source = source[Symbol.asyncIterator]();
    this.#maxBytes = maxBytes;
  }

  /** Of the stream, up to now. */
  get receivedBytes(): number {
    return this.#received;
  }

  /** Whether so many bytes are there; reads on until they are or the stream ends. */
  async require(byteLength: number): Promise<boolean> {
    if (this.#bytes.length - this.#offset >= byteLength) return true;
    this.#passed.push(...this.#cutOff());
    // Joined once: joining with each piece would copy a large object many times over.
    const pieces = [this.#bytes];
    let there = this.#bytes.length;
    for (let piece = await this.#read(); piece !== undefined; piece = await this.#read()) {
      pieces.push(piece);
      there += piece.length;
      if (there >= byteLength) break;
    }
    const filled = pieces.filter(({ length }) => length > 0);
    if (filled.length === 1) this.#bytes = filled[0]!;
    else {
      // Parts of what was joined before may still wait in `passed`.
      if (this.#joined !== undefined) this.#spent.push(this.#joined);
      this.#joined = Buffer.concat(filled);
      this.#bytes = this.#joined;
      for (const piece of pieces.slice(1)) releaseMemory(piece);
    }
    return there >= byteLength;
  }

  /** What is there and not stepped over: a view, good until the next `require`. */
  get available(): Buffer {
    return this.#bytes.subarray(this.#offset);
  }

  byte(at: number): number {
    return this.#bytes.readUInt8(this.#offset + at);
  }

  uint32(at: number): number {
    return this.#bytes.readUInt32BE(this.#offset + at);
  }

  advance(byteLength: number): void {
    this.#offset += byteLength;
  }

  /** What was stepped over since the last call, each byte once; a piece is good until the next one is asked for. */
  *passed(): Generator<Buffer> {
    // Small pieces wait for more to come: a write for each object would cost more than reading it.
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
