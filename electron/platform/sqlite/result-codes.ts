// What the errors of node:sqlite say by number (sqlite3.h).

export const sqliteBusy = 5;
export const sqliteLocked = 6;
export const sqliteReadOnly = 8;
export const sqliteCannotOpen = 14;
/** SQLITE_IOERR_SHMSIZE: there is no room for the index of the write-ahead log. */
const sqliteNoRoomForIndex = 4874;

/** The primary result code of an error of SQLite, undefined for any other value. */
export function sqliteCode(error: unknown): number | undefined {
  const code = extendedCode(error);
  return code === undefined ? undefined : code & 0xff;
}

/** Somebody else holds the file, another process or another connection. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === sqliteBusy || code === sqliteLocked;
}

/** Whether the disk is so full that not even reading works as usual. */
export function hasNoRoomForIndex(error: unknown): boolean {
  return extendedCode(error) === sqliteNoRoomForIndex;
}

function extendedCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode : undefined;
}
