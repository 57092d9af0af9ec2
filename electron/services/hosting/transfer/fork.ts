// Fork: copies a local repository's branches and tags. Git fetches as from a remote, so the copy has its own packs and
// shares no file or object store with the original: deleting or repacking one never harms the other.
import { ArtifactsError } from "../artifacts-error.ts";
import { GitFailure } from "../git/git-runner.ts";
import type { ForkDraft } from "../hosting-records.ts";
import {
  allBranchesAndTags,
  countObjects,
  fetchFlags,
  fetchOptions,
  type Transferred,
  type TransferTarget,
} from "./fetched.ts";

/**
 * Copies the default branch with the tags on it, as a clone of one branch does, or all branches and tags. Never other
 * refs.
 * @throws ArtifactsError `INTERNAL_ERROR` if the original cannot be copied
 */
export async function forkRepository(
  source: string,
  target: TransferTarget,
  { defaultBranchOnly = true }: Pick<ForkDraft, "defaultBranchOnly">,
): Promise<Transferred> {
  const { runner, directory, signal } = target;
  const head = await runner.run({ args: ["symbolic-ref", "HEAD"], directory: source, signal });
  const defaultRef = head.toString("utf8").trim();
  const defaultBranch = defaultRef.replace(/^refs\/heads\//, "");
  const wanted = defaultBranchOnly ? [defaultRef] : ["refs/heads/", "refs/tags/"];
  const present = await runner.run({
    args: ["for-each-ref", "--count=1", "--format=%(refname)", "--", ...wanted],
    directory: source,
    signal,
  });
  if (present.length === 0) return { objects: 0, defaultBranch };

  const refspecs = defaultBranchOnly ? [`+${defaultRef}:${defaultRef}`] : allBranchesAndTags;
  try {
    await runner.run({
      args: [
        ...[...fetchOptions, "-c", "protocol.file.allow=always"],
        // Copies the depth limit of a shallow import too.
        ...["fetch", ...fetchFlags, "--update-shallow", "--", source, ...refspecs],
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
