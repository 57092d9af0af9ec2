// Writing into the folder that somebody has chosen for briefings: made where it is missing, and what the system refuses said
// in words.
import { access, constants, opendir, stat } from "node:fs/promises";
import { AppError } from "../../../shared/app-error.ts";
import { systemCode, toStorageError } from "../../platform/disk/storage-error.ts";

const failed = "The briefing could not be written";

/** Runs `work` on that folder. @throws AppError `storage-failed` for what the system refuses; whatever else `work` throws */
export async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw explain(error);
  }
}

function explain(error: unknown): unknown {
  if (!(error instanceof Error && "syscall" in error)) return error;
  // Only here may the place be one where there are no folders.
  if (systemCode(error) === "ENOENT") {
    const detail = `${failed}: its folder cannot be made, or was removed meanwhile.`;
    return new AppError("storage-failed", detail, { cause: error });
  }
  const known = toStorageError(error, failed);
  if (known !== error) return known;
  return new AppError("storage-failed", `${failed}: the system refuses it.`, { cause: error });
}

/** Throws what the system throws where there is something that is no folder, or one that may not be written into. */
export async function requireWritable(folder: string): Promise<void> {
  if (!(await isThere(folder))) return;
  await (await opendir(folder)).close();
  await access(folder, constants.W_OK);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}
