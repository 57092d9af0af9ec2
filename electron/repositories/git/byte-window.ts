// A moving view of a byte stream: as much as a reader asks for stays in memory, what it has stepped over is handed on.
import { PackRefused } from "./pack-limits.ts";

/** Not to be shared: one reader moves it. */
export class ByteWindow {
  readonly #source: AsyncIterator<Buffer>;
  readonly #maxBytes: number;
  #bytes: Buffer = Buffer.alloc(0);
  #offset = 0;
  #passed: Buffer[] = [];
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
    while (this.#bytes.length - this.#offset < byteLength) if (!(await this.#fill())) return false;
    return true;
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

  /** What was stepped over since the last call, each byte once. */
  *passed(): Generator<Buffer> {
    // Small pieces wait for more to come: a write for each object would cost more than reading it.
    if (this.#passed.length > 0) {
      yield* this.#passed;
      this.#passed = [];
    }
    if (this.#offset === this.#bytes.length || this.#ended) yield* this.#cutOff();
  }

  *#cutOff(): Generator<Buffer> {
    if (this.#offset === 0) return;
    const front = this.#bytes.subarray(0, this.#offset);
    this.#bytes = this.#bytes.subarray(this.#offset);
    this.#offset = 0;
    yield front;
  }

  async #fill(): Promise<boolean> {
    if (this.#ended) return false;
    const next = await this.#source.next();
    if (next.done === true) {
      this.#ended = true;
      return false;
    }
    const { value } = next;
    this.#received += value.length;
    if (this.#received > this.#maxBytes) {
      throw new PackRefused(`pack exceeds maximum allowed size (${this.#maxBytes} bytes)`);
    }
    if (this.#offset > 0) this.#passed.push(...this.#cutOff());
    this.#bytes = this.#bytes.length === 0 ? value : Buffer.concat([this.#bytes, value]);
    return true;
  }
}
