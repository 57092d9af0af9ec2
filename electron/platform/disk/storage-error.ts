// Converts errors of the disk and of SQLite to an AppError with a sentence; passes other errors through.
import { AppError } from "../../../shared/app-error.ts";
import {
  hasNoRoomForIndex,
  sqliteBusy,
  sqliteCannotOpen,
  sqliteCode,
  sqliteLocked,
  sqliteReadOnly,
} from "../sqlite/result-codes.ts";

const fileReasons: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would become larger than the system allows",
  EROFS: "the disk is read-only",
  EACCES: "permission was denied",
  EPERM: "permission was denied",
  EIO: "the disk reported an error",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  ENOTDIR: "a file is in the place of a folder",
  EEXIST: "something else already has its name",
  EISDIR: "a folder is in the place of a file",
  ELOOP: "a symbolic link leads back to itself",
  ENAMETOOLONG: "its name is too long",
  EBUSY: "another program is using it",
  ENOENT: "a part of the data directory is missing",
};

/** Reasons by primary result code (sqlite3.h). */
const sqliteReasons: Readonly<Record<number, string>> = {
  3: "permission was denied",
  [sqliteBusy]: "another program is using it",
  [sqliteLocked]: "another program is using it",
  [sqliteReadOnly]: "it is read-only",
  10: "the disk reported an error",
  13: "the disk is full",
  [sqliteCannotOpen]: "it cannot be opened or created there",
};
const sqliteDamaged: Readonly<Record<number, string>> = {
  11: "its content is damaged",
  26: "it is not an SQLite database",
};

/** Returns the error code of a failed system call, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/**
 * Returns an AppError `storage-failed`, or `stored-data-invalid` for a damaged database. Its message is `what`, such as
 * "The frame could not be stored", and the reason. Returns other errors unchanged.
 */
export function toStorageError(error: unknown, what: string): unknown {
  if (error instanceof AppError) return error;
  const sqlite = sqliteCode(error);
  if (sqlite !== undefined) {
    const damage = sqliteDamaged[sqlite];
    if (damage !== undefined)
      return new AppError("stored-data-invalid", `${what}: ${damage}.`, { cause: error });
    const reason = hasNoRoomForIndex(error) ? sqliteReasons[13] : sqliteReasons[sqlite];
    return reason === undefined
      ? error
      : new AppError("storage-failed", `${what}: ${reason}.`, { cause: error });
  }
  if (systemCode(error) === "ERR_OUT_OF_RANGE") {
    return new AppError("stored-data-invalid", `${what}: a number in it is out of range.`, { cause: error });
  }
  const reason = fileReasons[systemCode(error) ?? ""];
  return reason === undefined
    ? error
    : new AppError("storage-failed", `${what}: ${reason}.`, { cause: error });
}
