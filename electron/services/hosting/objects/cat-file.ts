// One `git cat-file --batch` process and the talk with it (git-cat-file(1), "Batch output"). Names go to it as lines, never as
// arguments, and only names made here: a hash, HEAD, and what either peels to.
import { ArtifactsError } from "../artifacts-error.ts";
import { GitFailure, type GitProcess, type GitRunner } from "../git/git-runner.ts";
import { misread, OutputReader } from "./output-reader.ts";

export const objectTypes = ["blob", "tree", "commit", "tag"] as const;
export type ObjectType = (typeof objectTypes)[number];

export interface ObjectHeader {
  readonly hash: string;
  readonly type: ObjectType;
  /** Bytes. */
  readonly size: number;
}

export interface GitObject extends ObjectHeader {
  readonly bytes: Buffer;
}

const headerPattern = /^([0-9a-f]{40}) (blob|tree|commit|tag) ([0-9]{1,15})$/;
const absentPattern = / (?:missing|ambiguous)$/;
const hashPattern = /^[0-9a-f]{40}$/;

/** @throws ArtifactsError `INVALID_INPUT` */
export function checkHash(hash: string): void {
  if (!hashPattern.test(hash)) {
    throw new ArtifactsError("INVALID_INPUT", "A hash has 40 hexadecimal digits in lower case.");
  }
}

export function isHash(text: string): boolean {
  return hashPattern.test(text);
}

/** Undefined for what is not there. */
export function parseObjectHeader(line: string): ObjectHeader | undefined {
  if (absentPattern.test(line)) return undefined;
  const match = headerPattern.exec(line);
  if (match === null) throw misread("object header");
  return { hash: match[1]!, type: match[2] as ObjectType, size: Number(match[3]) };
}

export function overLimit(): ArtifactsError {
  return new ArtifactsError(
    "MEMORY_LIMIT",
    "The object is larger than what is read at once; clone the repository.",
  );
}

export interface CatFile {
  /**
   * Undefined for what is not there.
   * @throws ArtifactsError `MEMORY_LIMIT` above `maxBytes`, after which nothing more can be read
   */
  read(name: string, maxBytes: number): Promise<GitObject | undefined>;
  /** Many, asked for at once and given one by one, in order. To be taken to the end, or nothing more can be read. */
  readEach(names: readonly string[], maxBytes: number): AsyncIterable<GitObject | undefined>;
}

export interface CatFileOptions {
  readonly runner: GitRunner;
  readonly directory: string;
  readonly signal: AbortSignal | undefined;
}

/** Gives `use` a process of its own, which is gone when this settles. */
export async function withCatFile<T>(
  { runner, directory, signal }: CatFileOptions,
  use: (catFile: CatFile) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const process = runner.spawn({ args: ["cat-file", "--batch"], directory, signal });
  // A pipe that broke shows as the end of the output, which every read looks at.
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

function createCatFile(process: GitProcess): CatFile {
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
    read: async (name, maxBytes) => {
      process.stdin.write(`${name}\n`);
      return receive(maxBytes);
    },
    async *readEach(names, maxBytes) {
      process.stdin.write(names.map((name) => `${name}\n`).join(""));
      for (let left = names.length; left > 0; left -= 1) yield await receive(maxBytes);
    },
  };
}
