// Checks names of repositories, namespaces, branches and refs: every file system and Git itself must be able to hold
// them.
import { ArtifactsError } from "./artifacts-error.ts";
import { maxBranchBytes, maxNameLength, maxRefBytes, maxRefPartBytes } from "./hosting-limits.ts";

const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/;
/** Names that Windows reserves for devices, with any extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const devicePattern = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;
/** git-check-ref-format(1), rules 4, 5 and 10: control characters, space, and the characters of Git's own syntax. */
const forbiddenInRef = /[\u0000-\u0020\u007f~^:?*[\\]/;

/** @throws ArtifactsError `INVALID_REPO_NAME` */
export function checkRepositoryName(name: string): void {
  const fault = findFault(name);
  if (fault !== undefined) throw new ArtifactsError("INVALID_REPO_NAME", `The repository name ${fault}.`);
}

/** @throws ArtifactsError `INVALID_INPUT` */
export function checkNamespace(namespace: string): void {
  const fault = findFault(namespace);
  if (fault !== undefined) throw new ArtifactsError("INVALID_INPUT", `The namespace ${fault}.`);
}

/** Returns the end of a sentence about the name; undefined if the name is valid. */
function findFault(name: string): string | undefined {
  if (name.length === 0) return "is empty";
  if (name.length > maxNameLength) return `is longer than ${maxNameLength} characters`;
  if (!namePattern.test(name)) {
    return "must begin with a letter or digit and contain only letters, digits, dots, underscores and hyphens";
  }
  if (name.endsWith(".")) return "ends with a dot";
  if (/\.(?:git|lock)$/i.test(name)) return "ends with .git or .lock, which Git reserves";
  if (devicePattern.test(name)) return "is the name of a device on Windows";
  return undefined;
}

/** @throws ArtifactsError `INVALID_INPUT` */
export function checkBranchName(name: string, what: string): void {
  if (!isBranchName(name)) {
    throw new ArtifactsError("INVALID_INPUT", `The ${what} is not a valid Git branch name.`);
  }
}

/**
 * Applies the rules of git-check-ref-format(1) for `refs/heads/NAME` and those of its `--branch` (no leading hyphen,
 * not HEAD). Also refuses `@`, which Git's commands read as HEAD.
 */
export function isBranchName(name: string): boolean {
  const isReserved = name === "HEAD" || name.startsWith("-");
  return !isReserved && Buffer.byteLength(name) <= maxBranchBytes && isRefName(name);
}

/**
 * Applies git-check-ref-format(1) with `--allow-onelevel`. A ref may begin with a hyphen: callers never pass one as an
 * option.
 */
export function isRefName(name: string): boolean {
  if (name === "@" || !name.isWellFormed() || Buffer.byteLength(name) > maxRefBytes) return false;
  if (forbiddenInRef.test(name) || name.includes("..") || name.includes("@{") || name.endsWith(".")) {
    return false;
  }
  return name.split("/").every(isRefPart);
}

function isRefPart(part: string): boolean {
  const isAllowed = part !== "" && !part.startsWith(".") && !part.endsWith(".lock");
  return isAllowed && Buffer.byteLength(part) <= maxRefPartBytes;
}
