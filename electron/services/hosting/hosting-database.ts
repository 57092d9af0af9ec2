// The SQLite file of hosting's metadata, and the lock that gives it to one host at a time.
import { DatabaseSync } from "node:sqlite";
import { AppError } from "../../../shared/app-error.ts";
import type { FileKind } from "../../platform/sqlite/file-version.ts";
import { keepLog, openAtPresent } from "../../platform/sqlite/open-sqlite-file.ts";
import { isBusy } from "../../platform/sqlite/result-codes.ts";
import { migrations } from "./hosting-schema.ts";

export const repositoriesKind: FileKind = {
  /** "Erep" in ASCII. */
  applicationId: 0x45726570,
  migrations,
  foreign: "The repositories.sqlite of this data directory belongs to another program.",
  newer: (version, newest) =>
    `The repositories of this data directory have version ${version}, written by a newer Echotop; this one knows versions up to ${newest}.`,
};

/** Longer than another host looks at the file before it learns that it may not have it. */
const lookMs = 1000;

/**
 * Opens the file, which is made if it is missing, and brings it to the present version. Only who has the host's lock may, but
 * other hosts look at the file as they start.
 * @throws AppError `conflict` for a file of a newer version or of another program, `storage-failed`
 */
export function openDatabase(file: string): DatabaseSync {
  return openAtPresent(file, repositoriesKind, {
    patienceMs: lookMs,
    prepare(database) {
      keepLog(database, "Repositories cannot be kept here: the disk allows no write-ahead log.");
      database.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    },
  });
}

export interface HostLock {
  /** Idempotent. */
  close(): void;
}

const inUse =
  "The repositories of this data directory are in use by another Echotop; close that one, or give this one a directory of its own.";

/**
 * The system releases the lock however the host ends. Nobody may open `file` by other means in the same process: closing it
 * would drop the lock (POSIX).
 * @throws AppError `conflict` while another host, or another part of this one, has it
 */
export function takeHostLock(file: string): HostLock {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new AppError("conflict", inUse, { cause: error });
  }
  return {
    close() {
      if (lock.isOpen) lock.close();
    },
  };
}
