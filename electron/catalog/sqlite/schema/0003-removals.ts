// Version 3: counts the removals of files, so that a publication notices one between its look at the frames and its
// commit. A trigger counts, because it also works for an older program that has the catalog open.
import type { Migration } from "../../../platform/sqlite/file-version.ts";

export const removals: Migration = {
  version: 3,
  sql: `
    ALTER TABLE catalog_state ADD COLUMN removal_version INTEGER NOT NULL DEFAULT 0;
    -- A file is removed in the transaction that forgets it.
    CREATE TRIGGER count_removals AFTER DELETE ON condemned_files BEGIN
      UPDATE catalog_state SET removal_version = removal_version + 1;
    END;
  `,
};
