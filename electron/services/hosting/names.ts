// Which names repositories, namespaces and branches may have: those that every file system and Git itself can carry.
import { ArtifactsError } from "./artifacts-error.ts";

const maxNameLength = 100;
const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/;
/** Names that Windows keeps for devices, also with an extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const devicePattern = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;
const suffixPattern = /\.(?:git|lock)$/i;

/** With the ending of Git's lock file it still fits into the 255 bytes of a file name. */
const maxBranchBytes = 244;
/** git-check-ref-format(1), rules 4, 5 and 10: controls, blank, and the characters of Git's own syntax. */
const forbiddenInRef = /[\u0000-\u0020\u007f~^:?*[\\]/;

/** What is wrong with a name, as the end of a sentence; undefined when nothing is. */
function faultOfName(name: string): string | undefined {
  if (name.length === 0) return "is empty";
  if (name.length > maxNameLength) return `is longer than ${maxNameLength} characters`;
  if (!namePattern.test(name)) {
    return "must begin with a letter or digit and hold only letters, digits, dots, underscores and hyphens";
  }
  if (name.endsWith(".")) return "ends with a dot";
  if (suffixPattern.test(name)) return "ends with .git or .lock, which Git keeps for itself";
  if (devicePattern.test(name)) return "is the name of a device on Windows";
  return undefined;
}

/** @throws ArtifactsError `INVALID_REPO_NAME` */
export function checkRepositoryName(name: string): void {
  const fault = faultOfName(name);
  if (fault !== undefined) throw new ArtifactsError("INVALID_REPO_NAME", `The repository name ${fault}.`);
}

/** @throws ArtifactsError `INVALID_INPUT` */
export function checkNamespace(namespace: string): void {
  const fault = faultOfName(namespace);
  if (fault !== undefined) throw new ArtifactsError("INVALID_INPUT", `The namespace ${fault}.`);
}

/**
 * Whether Git takes it as a branch: the rules of git-check-ref-format(1) for `refs/heads/NAME`, and those that `--branch` adds
 * (no leading hyphen, not HEAD). `@`, which Git's commands read as HEAD, is refused, too.
 */
export function isBranchName(name: string): boolean {
  if (name === "HEAD" || name === "@" || name.startsWith("-")) return false;
  if (!name.isWellFormed() || Buffer.byteLength(name) > maxBranchBytes) return false;
  if (forbiddenInRef.test(name) || name.includes("..") || name.includes("@{") || name.endsWith(".")) {
    return false;
  }
  return name.split("/").every((part) => part.length > 0 && !part.startsWith(".") && !part.endsWith(".lock"));
}

/** @throws ArtifactsError `INVALID_INPUT` */
export function checkBranchName(name: string, what: string): void {
  if (!isBranchName(name))
    throw new ArtifactsError("INVALID_INPUT", `The ${what} is no name that Git takes.`);
}
