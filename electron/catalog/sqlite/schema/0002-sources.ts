// Version 2: registered windows, mirrored and replayed events, withdrawn revisions, ETags and stored files of sources,
// files to be removed, and the log of the feeds.
import type { Migration } from "../../../platform/sqlite/file-version.ts";

export const sources: Migration = {
  version: 2,
  sql: `
    -- A registered window stays as it was registered; started_at and ended_at are its union with the data's.
    ALTER TABLE events ADD COLUMN registered_started_at INTEGER;
    ALTER TABLE events ADD COLUMN registered_ended_at INTEGER;
    -- The base URL of the service whose event this is a copy of.
    ALTER TABLE events ADD COLUMN mirror_of TEXT;
    -- The event that this one shows again, and that one's sequence up to which it does.
    ALTER TABLE events ADD COLUMN replay_of_event TEXT;
    ALTER TABLE events ADD COLUMN replay_of_sequence INTEGER;
    -- The highest sequence that retention has removed.
    ALTER TABLE events ADD COLUMN pruned_sequence INTEGER NOT NULL DEFAULT 0 CHECK (pruned_sequence >= 0);

    -- Sequences of revisions that could not be made good. They stay used.
    CREATE TABLE withdrawn_revisions (
      event_id TEXT NOT NULL REFERENCES events (id),
      sequence INTEGER NOT NULL CHECK (sequence >= 1),
      revision_id TEXT NOT NULL,
      withdrawn_at INTEGER NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (event_id, sequence)
    ) STRICT, WITHOUT ROWID;

    ALTER TABLE assets ADD COLUMN etag TEXT;

    -- The SHA-256 of the source file as it was read, under which it may be kept; null where nobody recorded it.
    ALTER TABLE revision_layers ADD COLUMN source_sha256 TEXT;
    CREATE INDEX layers_by_source ON revision_layers (source_sha256) WHERE source_sha256 IS NOT NULL;

    -- Files of pruned revisions that are still to be removed, unless a revision shows them again by then.
    CREATE TABLE condemned_files (
      kind TEXT NOT NULL CHECK (kind IN ('frame', 'source')),
      name TEXT NOT NULL,
      PRIMARY KEY (kind, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE feed_log (
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      source TEXT NOT NULL,
      event_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      product_id TEXT,
      observed_at INTEGER,
      locator TEXT,
      byte_length INTEGER,
      delay_ms INTEGER,
      duration_ms INTEGER,
      revision_id TEXT,
      sequence INTEGER,
      change TEXT,
      message TEXT
    ) STRICT;
  `,
};
