// A look at the catalog as it is now, beside the one committed state that a verification holds everything against: retention
// may have taken a frame away since, with the revision that showed it.
import { existsSync } from "node:fs";
import { isAppError } from "../../../shared/app-error.ts";
import { openUntouched } from "../../platform/sqlite/open-sqlite-file.ts";
import { sqliteCode } from "../../platform/sqlite/result-codes.ts";
import type { DataDirectory } from "../files/data-directory.ts";
import { prepare } from "../queries.ts";
import { toStorageError } from "../../platform/disk/storage-error.ts";

/** Whether a revision shows the frame by now; true where the catalog cannot tell. */
export function isShownNow({ catalogFile }: DataDirectory, frameId: string): boolean {
  if (!existsSync(catalogFile)) return true;
  try {
    const database = openUntouched(catalogFile);
    try {
      const frame = prepare(database, "SELECT 1 FROM revision_layers WHERE frame_id = ? LIMIT 1");
      return frame.first(frameId) !== undefined;
    } finally {
      database.close();
    }
  } catch (error) {
    // What is wrong with the catalog is found where it is looked at as a whole.
    if (isAppError(toStorageError(error, "It cannot be read")) || sqliteCode(error) !== undefined)
      return true;
    throw error;
  }
}
