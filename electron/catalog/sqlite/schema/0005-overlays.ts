// Version 5: overlays kept with events.
import type { Migration } from "../../../platform/sqlite/file-version.ts";

export const overlays: Migration = {
  version: 5,
  sql: `
    -- document is JSON of what is known about the content, which is the file as it was fetched. fetched_at repeats a
    -- part of it, in milliseconds.
    CREATE TABLE kept_overlays (
      event_id TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      fetched_at INTEGER NOT NULL,
      document TEXT NOT NULL,
      content BLOB NOT NULL,
      PRIMARY KEY (event_id, name)
    ) STRICT;
  `,
};
