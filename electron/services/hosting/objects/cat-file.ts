// The dialog with one `git cat-file --batch` process (git-cat-file(1), "Batch output"). Names go to it as lines, never
// as arguments, and only names created here: a hash, HEAD, and what either peels to.
import { ArtifactsError } from "../artifacts-error.ts";
import { GitFailure, type GitPlace, type GitProcess } from "../git/git-runner.ts";
import { misread } from "./object-parsers.ts";

export type ObjectType = "blob" | "tree" | "commit" | "tag";

interface ObjectHeader {
  readonly hash: string;
  readonly type: ObjectType;
  /** Byte length. */
  readonly size: number;
}

export interface GitObject extends ObjectHeader {
  readonly bytes: Buffer;
}

const headerPattern = /^([0-9a-f]{40}) (blob|tree|commit|tag) ([0-9]{1,15})$/;

/** @throws ArtifactsError `INVALID_INPUT` */
export function checkHash(hash: string): void {
  if (!isHash(hash)) {
    throw new ArtifactsError("INVALID_INPUT", "A hash has 40 hexadecimal digits in lower case.");
  }
}

export function isHash(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/** Returns undefined for a missing object. */
export function parseObjectHeader(line: string): ObjectHeader | undefined {
  if (/ (?:missing|ambiguous)$/.test(line)) return undefined;
  const match = headerPattern.exec(line);
  if (match === null) throw misread("object header");
  return { hash: match[1]!, type: match[2] as ObjectType, size: Number(match[3]) };
}

export function overLimit(): ArtifactsError {
  return new ArtifactsError("MEMORY_LIMIT", "The object is too large to read here; clone the repository.");
}

export type CatFile = ReturnType<typeof createCatFile>;

/** Gives `use` its own process, which has ended when this settles. */
export async function withCatFile<T>(
  { runner, directory, signal }: GitPlace,
  use: (catFile: CatFile) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const process = runner.spawn({ args: ["cat-file", "--batch"], directory, signal });
  // A broken pipe appears as the end of the output, which every read checks.
  process.stdin.on("error", () => undefined);
  try {
    const result = await use(createCatFile(process));
    process.stdin.end();
    return result;
  } catch (error) {
    process.kill();
    signal?.throwIfAborted();
    throw error;
  } finally {
    process.stdout.destroy();
    await process.ended;
  }
}

function createCatFile(process: GitProcess) {
  const output = new OutputReader(process.stdout);
  const receive = async (maxBytes: number): Promise<GitObject | undefined> => {
    const line = await output.readLine();
    if (line === undefined) {
      const { status, stderr } = await process.ended;
      throw new GitFailure(status, stderr);
    }
    const header = parseObjectHeader(line);
    if (header === undefined) return undefined;
    if (header.size > maxBytes) throw overLimit();
    const bytes = await output.readBytes(header.size);
    await output.readBytes(1);
    return { ...header, bytes };
  };
  return {
    /**
     * Returns undefined for a missing object.
     * @throws ArtifactsError `MEMORY_LIMIT` above `maxBytes`; nothing can be read afterwards
     */
    read(name: string, maxBytes: number): Promise<GitObject | undefined> {
      process.stdin.write(`${name}\n`);
      return receive(maxBytes);
    },
    /** Requests all objects at once and yields them in order. The caller must iterate to the end to read more. */
    async *readEach(names: readonly string[], maxBytes: number): AsyncGenerator<GitObject | undefined> {
      process.stdin.write(names.map((name) => `${name}\n`).join(""));
      for (let left = names.length; left > 0; left -= 1) yield await receive(maxBytes);
    },
  };
}

/** Longer than any line of `--batch-check`. */
const maxCheckLineBytes = 80;

/** Returns byte lengths by hash; missing objects have no entry. */
export async function readBlobSizes(
  { runner, directory, signal }: GitPlace,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const distinct = [...new Set(hashes)];
  if (distinct.length === 0) return new Map();
  const output = await runner.run({
    args: ["cat-file", "--batch-check", "--buffer"],
    directory,
    signal,
    input: `${distinct.join("\n")}\n`,
    maxBytes: maxCheckLineBytes * distinct.length,
  });
  return parseSizes(output.toString("latin1"));
}

export function parseSizes(text: string): ReadonlyMap<string, number> {
  const headers = text.split("\n").flatMap((line) => (line === "" ? [] : (parseObjectHeader(line) ?? [])));
  return new Map(headers.map(({ hash, size }) => [hash, size]));
}

const maxLineBytes = 8192;
const newline = 0x0a;

/** Reads lines and byte runs from a process's standard output as it arrives. */
export class OutputReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array();

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** Returns a line without its newline; undefined if the output ended first. */
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

  /** @throws ArtifactsError `INTERNAL_ERROR` if the output ends first */
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

  /** Returns false at the end. An empty chunk is not the end. */
  async #fill(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    this.#held = next.value;
    return this.#held.length > 0 || this.#fill();
  }
}
