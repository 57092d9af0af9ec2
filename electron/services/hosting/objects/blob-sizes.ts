// The sizes of many blobs at once, by `git cat-file --batch-check`.
import { parseObjectHeader } from "./cat-file.ts";
import type { RefLookup } from "./find-refs.ts";

/** More than a line of `--batch-check` has. */
const maxLineBytes = 80;

/** Bytes by hash; what is not there is left out. */
export async function readBlobSizes(
  { runner, directory, signal }: RefLookup,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const distinct = [...new Set(hashes)];
  if (distinct.length === 0) return new Map();
  const output = await runner.run({
    args: ["cat-file", "--batch-check", "--buffer"],
    directory,
    signal,
    input: `${distinct.join("\n")}\n`,
    maxBytes: maxLineBytes * distinct.length,
  });
  return parseSizes(output.toString("latin1"));
}

export function parseSizes(text: string): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const header = parseObjectHeader(line);
    if (header !== undefined) sizes.set(header.hash, header.size);
  }
  return sizes;
}
