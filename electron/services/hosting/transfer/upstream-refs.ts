// What another service says it has: the output of `git ls-remote --symref`.
import { ArtifactsError } from "../artifacts-error.ts";
import { isRefName } from "../objects/ref-name.ts";
import { TransferError } from "./transfer-error.ts";

export interface RemoteRefs {
  /** Branch that its HEAD names; undefined where it names none. */
  readonly head: string | undefined;
  /** Short names, in the order of the listing. */
  readonly branches: readonly string[];
}

const maxRefs = 100_000;
const linePattern = /^(?:ref: (refs\/heads\/[^\t]+)\tHEAD|([0-9a-f]{40})\t([^\t]+))$/;
const branchPrefix = "refs/heads/";

/** @throws ArtifactsError; TransferError 422 for a listing that is no repository's of SHA-1 */
export function parseRemoteRefs(text: string): RemoteRefs {
  let head: string | undefined;
  const branches: string[] = [];
  const lines = text.split("\n").filter((line) => line !== "");
  if (lines.length > maxRefs) {
    throw new ArtifactsError("MEMORY_LIMIT", "The repository has more refs than are taken in at once.");
  }
  for (const line of lines) {
    const match = linePattern.exec(line);
    if (match === null) {
      throw new TransferError(422, "INVALID_INPUT", "The address answers with refs that cannot be read.");
    }
    const [, symbolic, , ref] = match;
    if (symbolic !== undefined) head = symbolic.slice(branchPrefix.length);
    else if (ref?.startsWith(branchPrefix) === true && isRefName(ref))
      branches.push(ref.slice(branchPrefix.length));
  }
  return { head, branches };
}

/**
 * Asked for, else the upstream's own, else one that is usual, else the first.
 * @throws TransferError 422 when there is none
 */
export function chooseBranch({ head, branches }: RemoteRefs, asked: string | undefined): string {
  if (asked !== undefined) {
    if (branches.includes(asked)) return asked;
    throw new TransferError(422, "INVALID_INPUT", "The repository has no branch of this name.");
  }
  const [first] = branches;
  if (first === undefined) {
    throw new TransferError(422, "INVALID_INPUT", "The repository is empty: it has no branch.");
  }
  return [head, "main", "master"].find((name) => name !== undefined && branches.includes(name)) ?? first;
}
