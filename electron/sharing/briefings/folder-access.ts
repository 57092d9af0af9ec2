// Access to the folder that a person chose for briefings: reads what may be missing, and explains what the system
// refuses.
import { access, constants, opendir, readFile } from "node:fs/promises";
import { AppError } from "../../../shared/app-error.ts";
import { systemCode, toStorageError } from "../../platform/disk/storage-error.ts";

const failed = "The briefing could not be written";

/** Runs `work` and converts the system's errors. @throws AppError `storage-failed`; other errors of `work` */
export async function withStorageErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw explain(error);
  }
}

function explain(error: unknown): unknown {
  if (!(error instanceof Error && "syscall" in error)) return error;
  if (systemCode(error) === "ENOENT") {
    const detail = `${failed}: its folder cannot be created, or was removed in the meantime.`;
    return new AppError("storage-failed", detail, { cause: error });
  }
  const known = toStorageError(error, failed);
  if (known !== error) return known;
  return new AppError("storage-failed", `${failed}: the system refused.`, { cause: error });
}

/** Accepts a missing folder. Throws the system's error for a file, or a folder without write permission. */
export async function requireWritable(folder: string): Promise<void> {
  try {
    await (await opendir(folder)).close();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return;
    throw error;
  }
  await access(folder, constants.W_OK);
}

/** Returns undefined if there is no such file. */
export async function findFile(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return undefined;
    throw error;
  }
}
