// Validates the draft of a new repository before anything is written.
import { ArtifactsError } from "./artifacts-error.ts";
import { maxDescriptionLength, maxImportDepth } from "./hosting-limits.ts";
import type { CreateDraft, ImportDraft } from "./hosting-records.ts";
import { checkBranchName, checkNamespace, checkRepositoryName } from "./names.ts";

/** C0, DEL and C1: terminals show descriptions too. */
const controlPattern = /[\u0000-\u001f\u007f-\u009f]/;

/** @throws ArtifactsError `INVALID_INPUT`, `INVALID_REPO_NAME` */
export function checkDraft(
  namespace: string,
  { name, description, defaultBranch }: Pick<CreateDraft, "name" | "description" | "defaultBranch">,
): void {
  checkNamespace(namespace);
  checkRepositoryName(name);
  if (defaultBranch !== undefined) checkBranchName(defaultBranch, "default branch");
  if (description === undefined || description === null) return;
  if (description.length > maxDescriptionLength) {
    throw invalid(`The description is longer than ${maxDescriptionLength} characters.`);
  }
  if (!description.isWellFormed() || controlPattern.test(description)) {
    throw invalid("The description contains characters that cannot be shown.");
  }
}

/** Checks all but the URL, which the transfer checks. @throws ArtifactsError `INVALID_INPUT` */
export function checkImport({ branch, depth }: ImportDraft): void {
  if (branch !== undefined) checkBranchName(branch, "branch");
  if (depth !== undefined && (!Number.isInteger(depth) || depth < 1 || depth > maxImportDepth)) {
    throw invalid(`The depth must be a whole number from 1 to ${maxImportDepth}.`);
  }
}

/**
 * Returns the recorded source of an import, without user, password, query and fragment, which may be secrets.
 * @throws ArtifactsError `INVALID_URL`
 */
export function toImportSource(url: string): string {
  const source = URL.parse(url);
  if (source === null) throw new ArtifactsError("INVALID_URL", "The url is not a web address.");
  source.username = "";
  source.password = "";
  source.search = "";
  source.hash = "";
  return `git:${source.href}`;
}

function invalid(message: string): ArtifactsError {
  return new ArtifactsError("INVALID_INPUT", message);
}
