// What a new repository may be asked to be, checked before anything is written.
import { ArtifactsError } from "./artifacts-error.ts";
import { checkBranchName, checkNamespace, checkRepositoryName } from "./names.ts";
import type { CreateDraft, ForkDraft, ImportDraft } from "./repositories.ts";

const maxDescriptionLength = 1000;
/** More than any history has commits. */
const maxDepth = 2_147_483_647;
/** C0, DEL and C1: a description is shown on terminals, too. */
const controlPattern = /[\u0000-\u001f\u007f-\u009f]/;

/** @throws ArtifactsError `INVALID_INPUT`, `INVALID_REPO_NAME` */
export function checkDraft(namespace: string, draft: CreateDraft | ForkDraft): void {
  checkNamespace(namespace);
  checkRepositoryName(draft.name);
  if ("defaultBranch" in draft && draft.defaultBranch !== undefined) {
    checkBranchName(draft.defaultBranch, "default branch");
  }
  const { description } = draft;
  if (description === undefined || description === null) return;
  if (description.length > maxDescriptionLength) {
    throw new ArtifactsError(
      "INVALID_INPUT",
      `The description is longer than ${maxDescriptionLength} characters.`,
    );
  }
  if (!description.isWellFormed() || controlPattern.test(description)) {
    throw new ArtifactsError("INVALID_INPUT", "The description holds characters that cannot be shown.");
  }
}

/** The URL itself is judged by the transfer. @throws ArtifactsError `INVALID_INPUT` */
export function checkImport({ branch, depth }: ImportDraft): void {
  if (branch !== undefined) checkBranchName(branch, "branch");
  if (depth !== undefined && (!Number.isInteger(depth) || depth < 1 || depth > maxDepth)) {
    throw new ArtifactsError("INVALID_INPUT", `The depth must be a whole number from 1 to ${maxDepth}.`);
  }
}

/**
 * The address that a repository came from, without what may be a secret: user, password, query, fragment.
 * @throws ArtifactsError `INVALID_URL`
 */
export function toImportSource(url: string): string {
  if (!URL.canParse(url)) throw new ArtifactsError("INVALID_URL", "The url is no web address.");
  const source = new URL(url);
  source.username = "";
  source.password = "";
  source.search = "";
  source.hash = "";
  return `git:${source.href}`;
}
