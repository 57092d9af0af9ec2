// A look at the catalog as it is now, beside the one committed state that a verification holds everything against: retention
// may have taken a frame away since, with the revision that showed it.
import { toStorageError } from "./storage-error.ts";
import type { DataDirectory } from "./data-directory.ts";
import { openUntouched } from "./database.ts";
import { prepare } from "./queries.ts";

/** Whether a revision shows the frame by now; true where the catalog cannot tell. */
export function isShownNow({ catalogFile }: DataDirectory, frameId: string): boolean {
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
    if (toStorageError(error, "It cannot be read") === error) throw error;
    return true;
  }
}
