// Result codes in the errors of node:sqlite (sqlite3.h).

export const sqliteBusy = 5;
export const sqliteLocked = 6;
export const sqliteReadOnly = 8;
export const sqliteCannotOpen = 14;
/** SQLITE_IOERR_SHMSIZE: no space for the index of the write-ahead log. */
const sqliteNoRoomForIndex = 4874;

/** Returns the primary result code of an SQLite error; undefined for any other value. */
export function sqliteCode(error: unknown): number | undefined {
  const code = extendedCode(error);
  return code === undefined ? undefined : code & 0xff;
}

/** Returns true if another process or connection holds the file. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === sqliteBusy || code === sqliteLocked;
}

/** Returns true if the disk is so full that even reading fails. */
export function hasNoRoomForIndex(error: unknown): boolean {
  return extendedCode(error) === sqliteNoRoomForIndex;
}

function extendedCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode : undefined;
}
