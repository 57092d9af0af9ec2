// Version 4: the steps of briefings.
import type { Migration } from "../../../platform/sqlite/file-version.ts";

export const steps: Migration = {
  version: 4,
  sql: `
    -- version rises with every change. document is JSON.
    CREATE TABLE briefing_steps (
      event_id TEXT PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
      version INTEGER NOT NULL CHECK (version >= 1),
      changed_at INTEGER NOT NULL,
      document TEXT NOT NULL
    ) STRICT;
  `,
};
