// From a ref as a request names it to a name that `cat-file` may be asked for.
import { isHash } from "./cat-file.ts";
import { findRefs, type RefLookup } from "./find-refs.ts";
import { toWholeRefs } from "./ref-name.ts";

/** Names tried for one REF/PATH: so many segments of it can be the ref's. */
const maxRefSegments = 16;

/** `HEAD` or a hash; undefined for a ref that is not there. That it peels to a commit is for `cat-file` to say. */
export async function resolveRef(lookup: RefLookup, ref: string): Promise<string | undefined> {
  if (ref === "HEAD" || isHash(ref)) return ref;
  const candidates = toWholeRefs(ref);
  return pickRef(await findRefs(lookup, candidates), candidates);
}

export interface SplitRefPath {
  /** `HEAD` or a hash. */
  readonly name: string;
  readonly path: string;
}

/** The longest ref that is there, and the path after it. */
export async function splitRefPath(lookup: RefLookup, refPath: string): Promise<SplitRefPath | undefined> {
  const segments = refPath.split("/");
  const splits = Array.from({ length: Math.min(segments.length - 1, maxRefSegments) }, (_, index) => ({
    ref: segments.slice(0, index + 1).join("/"),
    path: segments.slice(index + 1).join("/"),
  })).reverse();
  const refs = await findRefs(
    lookup,
    splits.flatMap(({ ref }) => toWholeRefs(ref)),
  );
  for (const { ref, path } of splits) {
    const name = pickRef(refs, toWholeRefs(ref));
    if (name !== undefined) return { name, path };
  }
  const first = splits.at(-1);
  return first !== undefined && (first.ref === "HEAD" || isHash(first.ref))
    ? { name: first.ref, path: first.path }
    : undefined;
}

function pickRef(refs: ReadonlyMap<string, string>, candidates: readonly string[]): string | undefined {
  const found = candidates.find((candidate) => refs.has(candidate));
  return found === undefined ? undefined : refs.get(found);
}
