// The refs of another service: the output of `git ls-remote --symref`.
import { ArtifactsError } from "../artifacts-error.ts";
import { maxImportRefs } from "../hosting-limits.ts";
import { isRefName } from "../names.ts";

export interface RemoteRefs {
  /** Branch of its HEAD; undefined if HEAD names none. */
  readonly head: string | undefined;
  /** Short names, in the order of the listing. */
  readonly branches: readonly string[];
}

const linePattern = /^(?:ref: (refs\/heads\/[^\t]+)\tHEAD|([0-9a-f]{40})\t([^\t]+))$/;
const branchPrefix = "refs/heads/";

/** @throws ArtifactsError; with status 422 if the listing is not of a SHA-1 repository */
export function parseRemoteRefs(text: string): RemoteRefs {
  let head: string | undefined;
  const branches: string[] = [];
  const lines = text.split("\n").filter((line) => line !== "");
  if (lines.length > maxImportRefs) {
    throw new ArtifactsError("MEMORY_LIMIT", `The repository has more than ${maxImportRefs} refs.`);
  }
  for (const line of lines) {
    const match = linePattern.exec(line);
    if (match === null) throw unusable("The refs at the address could not be read.");
    const [, symbolic, , ref] = match;
    if (symbolic !== undefined) head = symbolic.slice(branchPrefix.length);
    else if (ref?.startsWith(branchPrefix) === true && isRefName(ref)) {
      branches.push(ref.slice(branchPrefix.length));
    }
  }
  return { head, branches };
}

/**
 * Chooses the requested branch, else the upstream's HEAD, else a usual name, else the first.
 * @throws ArtifactsError with status 422 if there is none
 */
export function chooseBranch({ head, branches }: RemoteRefs, requested: string | undefined): string {
  if (requested !== undefined) {
    if (branches.includes(requested)) return requested;
    throw unusable("The repository has no branch of this name.");
  }
  const [first] = branches;
  if (first === undefined) throw unusable("The repository is empty: it has no branch.");
  return [head, "main", "master"].find((name) => name !== undefined && branches.includes(name)) ?? first;
}

function unusable(message: string): ArtifactsError {
  return new ArtifactsError("INVALID_INPUT", message, { status: 422 });
}
