// Resolves the ref of a request to a name for `cat-file`. Text that cannot be a ref never reaches Git.
import type { GitPlace } from "../git/git-runner.ts";
import { isRefName } from "../names.ts";
import { isHash } from "./cat-file.ts";
import { misread } from "./object-parsers.ts";

/** Leading segments of REF/PATH that may belong to the ref. */
const maxRefSegments = 16;
const maxOutputBytes = 1024 * 1024;

/** Returns `HEAD` or a hash; undefined if the ref does not exist. `cat-file` finds out whether it is a commit. */
export async function resolveRef(place: GitPlace, ref: string): Promise<string | undefined> {
  if (ref === "HEAD" || isHash(ref)) return ref;
  return pickRef(await findRefs(place, toWholeRefs(ref)), ref);
}

/** Splits REF/PATH after the longest ref that exists. `name` is `HEAD` or a hash. */
export async function splitRefPath(
  place: GitPlace,
  refPath: string,
): Promise<{ readonly name: string; readonly path: string } | undefined> {
  const segments = refPath.split("/");
  const splits = Array.from({ length: Math.min(segments.length - 1, maxRefSegments) }, (_, index) => ({
    ref: segments.slice(0, index + 1).join("/"),
    path: segments.slice(index + 1).join("/"),
  })).reverse();
  const refs = await findRefs(
    place,
    splits.flatMap(({ ref }) => toWholeRefs(ref)),
  );
  for (const { ref, path } of splits) {
    const name = pickRef(refs, ref);
    if (name !== undefined) return { name, path };
  }
  const first = splits.at(-1);
  if (first === undefined || (first.ref !== "HEAD" && !isHash(first.ref))) return undefined;
  return { name: first.ref, path: first.path };
}

/** Returns the whole refs that a name may stand for, best first: itself if it is whole, a branch, a tag. */
export function toWholeRefs(name: string): readonly string[] {
  if (!isRefName(name)) return [];
  const short = [`refs/heads/${name}`, `refs/tags/${name}`];
  return name.startsWith("refs/") ? [name, ...short] : short;
}

function pickRef(refs: ReadonlyMap<string, string>, name: string): string | undefined {
  const found = toWholeRefs(name).find((candidate) => refs.has(candidate));
  return found === undefined ? undefined : refs.get(found);
}

/** Returns hashes by whole ref: a tag object's for an annotated tag. Missing refs have no entry. */
async function findRefs(
  { runner, directory, signal }: GitPlace,
  refs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (refs.length === 0) return new Map();
  // `for-each-ref` takes a plain name as a prefix and would list a whole folder. A class of one character makes it a
  // pattern, which must match the whole ref; ref names contain no pattern characters.
  const patterns = refs.map((ref) => ref.replace(/^refs\//, "ref[s]/"));
  const output = await runner.run({
    args: ["for-each-ref", "--format=%(objectname) %(refname)", "--", ...patterns],
    directory,
    signal,
    maxBytes: maxOutputBytes,
  });
  return parseRefs(output.toString("utf8"));
}

/** Each line has a hash, a space and a whole ref. */
export function parseRefs(text: string): ReadonlyMap<string, string> {
  const refs = new Map<string, string>();
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const hash = line.slice(0, 40);
    if (!isHash(hash) || line[40] !== " ") throw misread("list of refs");
    refs.set(line.slice(41), hash);
  }
  return refs;
}
