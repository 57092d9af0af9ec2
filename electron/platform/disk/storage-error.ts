// Turns what the disk and SQLite refuse into an AppError with a sentence; everything else is a fault of ours and stays as it is.
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
  ENOTDIR: "something that is not a folder stands where a folder must be",
  EEXIST: "something else stands where it must be",
  EISDIR: "a folder stands where a file must be",
  ELOOP: "a link leads back to itself",
  ENAMETOOLONG: "its name is too long",
  EBUSY: "another program holds it",
  ENOENT: "a part of the data directory is gone",
};

/** By primary result code (sqlite3.h). */
const sqliteReasons: Readonly<Record<number, string>> = {
  3: "permission was denied",
  [sqliteBusy]: "another program holds it",
  [sqliteLocked]: "another program holds it",
  [sqliteReadOnly]: "it is read-only",
  10: "the disk reported an error",
  13: "the disk is full",
  [sqliteCannotOpen]: "no file may be opened or made there",
};
const sqliteDamaged: Readonly<Record<number, string>> = {
  11: "its content is damaged",
  26: "it is not an SQLite database",
};

/** The error code of a failed system call, `ENOENT` for instance. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/**
 * `what` completes to a sentence: "The frame could not be stored". Returns `storage-failed`, or `stored-data-invalid` for
 * a damaged database, or the error itself where it is neither of disk nor of SQLite.
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
