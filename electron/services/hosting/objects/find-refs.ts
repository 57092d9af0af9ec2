// Looking refs up by their exact names.
import type { GitRunner } from "../git/git-runner.ts";
import { isHash } from "./cat-file.ts";
import { misread } from "./output-reader.ts";

const maxOutputBytes = 1024 * 1024;

export interface RefLookup {
  readonly runner: GitRunner;
  readonly directory: string;
  readonly signal: AbortSignal | undefined;
}

/** Hash of what each ref names (a tag object, where it is an annotated tag), by whole ref; those that are not there are left out. */
export async function findRefs(
  { runner, directory, signal }: RefLookup,
  refs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (refs.length === 0) return new Map();
  const output = await runner.run({
    args: ["for-each-ref", "--format=%(objectname) %(refname)", "--", ...refs.map(toExactPattern)],
    directory,
    signal,
    maxBytes: maxOutputBytes,
  });
  return parseRefs(output.toString("utf8"));
}

/**
 * A plain name is a prefix to `for-each-ref` and would list all of a folder. With a class of one character in it, it is a pattern,
 * which must match as a whole; a ref's name has no character of a pattern's.
 */
function toExactPattern(ref: string): string {
  return ref.replace(/^refs\//, "ref[s]/");
}

/** Lines of a hash, a blank, a whole ref. */
export function parseRefs(text: string): ReadonlyMap<string, string> {
  const refs = new Map<string, string>();
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const hash = line.slice(0, 40);
    if (!isHash(hash) || line[40] !== " ") throw misread("list of refs");
    refs.set(line.slice(41), hash);
  }
  return refs;
}
