// Turns what the disk and SQLite refuse into an AppError with a sentence; everything else is a fault of ours and stays as it is.
import { AppError } from "../../shared/app-error.ts";

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

/** Primary result codes of SQLite (sqlite3.h). */
const sqliteBusy = 5;
const sqliteLocked = 6;
const sqliteReasons: Readonly<Record<number, string>> = {
  3: "permission was denied",
  [sqliteBusy]: "another program holds it",
  [sqliteLocked]: "another program holds it",
  8: "it is read-only",
  10: "the disk reported an error",
  13: "the disk is full",
  14: "no file may be opened or made there",
};
/** SQLITE_IOERR_SHMSIZE: there is no room for the index of the write-ahead log. */
const sqliteNoRoomForIndex = 4874;
const sqliteDamaged: Readonly<Record<number, string>> = {
  11: "its content is damaged",
  26: "it is not an SQLite database",
};

/** The primary result code of an error of SQLite, undefined for any other value. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number")
    return undefined;
  return error.errcode & 0xff;
}

/** Whether the disk is so full that not even reading works as usual. */
export function hasNoRoomForIndex(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === sqliteNoRoomForIndex;
}

export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === sqliteBusy || code === sqliteLocked;
}

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
