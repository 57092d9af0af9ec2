// Fork: a copy of a local repository's branches and tags. Git fetches it as it would from afar, so the copy has packs of its own and
// shares no file and no object store with its original: deleting or repacking either never harms the other.
import { GitFailure } from "../git/git-runner.ts";
import { ArtifactsError } from "../artifacts-error.ts";
import { countObjects, fetchFlags, fetchOptions, type GitPlace } from "./fetched.ts";
import type { Transfer, Transferred } from "./transfer.ts";

type ForkDraft = Parameters<Transfer["fork"]>[2];

/**
 * The default branch alone takes the tags that lie on it with it, as a clone of one branch does; all branches take all tags. Other refs
 * stay behind.
 * @throws ArtifactsError `INTERNAL_ERROR` when the original cannot be copied
 */
export async function forkRepository(
  sourceDirectory: string,
  target: GitPlace,
  { defaultBranchOnly = true }: ForkDraft,
): Promise<Transferred> {
  const { runner, directory, signal } = target;
  const head = await runner.run({ args: ["symbolic-ref", "HEAD"], directory: sourceDirectory, signal });
  const defaultRef = head.toString("utf8").trim();
  const wanted = defaultBranchOnly ? [defaultRef] : ["refs/heads/", "refs/tags/"];
  const present = await runner.run({
    args: ["for-each-ref", "--count=1", "--format=%(refname)", "--", ...wanted],
    directory: sourceDirectory,
    signal,
  });
  const defaultBranch = defaultRef.replace(/^refs\/heads\//, "");
  if (present.length === 0) return { objects: 0, defaultBranch };

  const refspecs = defaultBranchOnly
    ? [`+${defaultRef}:${defaultRef}`]
    : ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
  try {
    await runner.run({
      args: [
        ...[...fetchOptions, "-c", "protocol.file.allow=always"],
        // Of an import that was cut to a depth, the cut is copied, too.
        ...["fetch", ...fetchFlags, "--update-shallow", "--", sourceDirectory, ...refspecs],
      ],
      directory,
      signal,
    });
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    throw new ArtifactsError("INTERNAL_ERROR", "The repository could not be copied.", { cause: error });
  }
  return { objects: await countObjects(target), defaultBranch };
}
