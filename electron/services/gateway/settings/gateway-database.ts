// Opens the gateway's SQLite files, those of the settings and of the request log: migrates them to the present
// version, or refuses them untouched if a newer Echotop or another program has written them.
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { AppError, messageOf } from "../../../../shared/app-error.ts";
import { syncFolderSync } from "../../../platform/disk/sync-folder.ts";
import type { Migration } from "../../../platform/sqlite/file-version.ts";
import { openAtPresent } from "../../../platform/sqlite/open-sqlite-file.ts";
import { isBusy } from "../../../platform/sqlite/result-codes.ts";

export interface GatewayFile {
  readonly path: string;
  /** SQLite's `application_id`. */
  readonly applicationId: number;
  readonly migrations: readonly Migration[];
  /** Plural noun for messages: "The gateway's settings". */
  readonly subject: string;
  /** "exclusive": no other process may open it. */
  readonly sharing: "exclusive" | "shared";
  /** "durable": commits survive a power cut. "batched": the last moments may be lost, the file stays valid. */
  readonly durability: "durable" | "batched";
}

/** Timeout for another process's lock, in ms; the thread is blocked meanwhile. */
const patienceMs = 250;

/**
 * Creates file and folder if they are missing.
 * @throws AppError `conflict` for a file of a newer version, of another program, or in use by another host;
 * `storage-failed`
 */
export function openGatewayDatabase(file: GatewayFile): DatabaseSync {
  const { applicationId, migrations, subject } = file;
  try {
    makeDurableFolder(dirname(file.path));
    const kind = {
      applicationId,
      migrations,
      foreign: `${subject} of this data directory belong to another program.`,
      newer: (version: number, newest: number) =>
        `${subject} have version ${version}, written by a newer Echotop; this one knows versions up to ${newest}.`,
    };
    return openAtPresent(file.path, kind, {
      patienceMs,
      prepare(database) {
        if (file.sharing === "exclusive") database.exec("PRAGMA locking_mode = EXCLUSIVE");
        database.exec("PRAGMA journal_mode = WAL");
        database.exec(`PRAGMA synchronous = ${file.durability === "durable" ? "FULL" : "NORMAL"}`);
      },
    });
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (isBusy(error)) {
      const sentence = `${subject} are in use by another Echotop; close that one, or give this one a data directory of its own.`;
      throw new AppError("conflict", sentence, { cause: error });
    }
    throw new AppError("storage-failed", `${subject} cannot be opened: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** Makes the folder's name durable in its parent; SQLite does so for the files in the folder. */
function makeDurableFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) syncFolderSync(dirname(folder));
}
