// Taking lines and byte runs out of a process's standard output, as it comes.
import { ArtifactsError } from "../artifacts-error.ts";

const maxLineBytes = 8192;
const newline = 0x0a;

/** What Git wrote is not what its manual says. */
export function misread(what: string): ArtifactsError {
  return new ArtifactsError("INTERNAL_ERROR", `Git's ${what} could not be read.`);
}

export class OutputReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array();

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** Without its newline; undefined where the output ended before one. */
  async readLine(): Promise<string | undefined> {
    const parts: Uint8Array[] = [];
    let length = 0;
    while (this.#held.length > 0 || (await this.#fill())) {
      const end = this.#held.indexOf(newline);
      const part = this.#take(end === -1 ? this.#held.length : end);
      parts.push(part);
      length += part.length;
      if (length > maxLineBytes) throw misread("line");
      if (end !== -1) {
        this.#take(1);
        return Buffer.concat(parts).toString("utf8");
      }
    }
    return undefined;
  }

  /** @throws ArtifactsError `INTERNAL_ERROR` where the output ends before */
  async readBytes(length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      if (this.#held.length === 0 && !(await this.#fill())) throw misread("output");
      const part = this.#take(length - filled);
      bytes.set(part, filled);
      filled += part.length;
    }
    return bytes;
  }

  #take(length: number): Uint8Array {
    const part = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return part;
  }

  /** False at the end. */
  async #fill(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    this.#held = next.value;
    // An empty chunk is no end.
    return this.#held.length > 0 || this.#fill();
  }
}
