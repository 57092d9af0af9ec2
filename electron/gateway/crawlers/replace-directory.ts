// A newer list of crawlers, put in place only when it can be used.
import { replaceFile } from "../../disk/replace-file.ts";
import { parseDirectoryFile, type DirectoryFile } from "./directory-file.ts";
import { compileDirectory } from "./directory.ts";

export interface DirectoryCandidate {
  /** ISO, as it says. */
  readonly updatedAt: string;
  readonly crawlers: number;
  /** Names that nobody will be known by, because only robots.txt uses them. */
  readonly ignoredNames: readonly string[];
}

/** Everything that reading it would find. @throws AppError `source-invalid` with a sentence */
export async function checkDirectory(text: string): Promise<DirectoryCandidate> {
  const file: DirectoryFile = parseDirectoryFile(text);
  const { crawlers, ignoredNames } = await compileDirectory(file);
  return { updatedAt: file.updated_at, crawlers: crawlers.length, ignoredNames };
}

/** Leaves the file as it is where the text cannot be used. `file` is absolute. @throws AppError `source-invalid`; what the disk throws */
export async function replaceDirectory(file: string, text: string): Promise<DirectoryCandidate> {
  const candidate = await checkDirectory(text);
  await replaceFile(file, text, { mode: 0o644 });
  return candidate;
}
