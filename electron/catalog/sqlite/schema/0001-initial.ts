// Version 1: events, revisions with layers, source assets. Instants are milliseconds since the Unix epoch.
import type { Migration } from "../../../platform/sqlite/file-version.ts";

export const initial: Migration = {
  version: 1,
  sql: `
    -- The versions rise with every change: of events and revisions, and of source assets.
    CREATE TABLE catalog_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      content_version INTEGER NOT NULL,
      asset_version INTEGER NOT NULL
    ) STRICT;
    INSERT INTO catalog_state (id, content_version, asset_version) VALUES (1, 0, 0);

    -- last_sequence and last_published_at outlive the revisions that set them.
    CREATE TABLE events (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('historical-event', 'operational-feed')),
      label TEXT NOT NULL,
      origin TEXT NOT NULL CHECK (origin IN ('observed', 'synthetic', 'replay')),
      status TEXT NOT NULL CHECK (status IN ('active', 'complete', 'archived')),
      started_at INTEGER,
      ended_at INTEGER,
      west REAL,
      south REAL,
      east REAL,
      north REAL,
      current_revision_id TEXT,
      last_sequence INTEGER NOT NULL CHECK (last_sequence >= 0),
      last_published_at INTEGER,
      updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX events_by_end ON events (coalesce(ended_at, started_at) DESC, id);

    CREATE TABLE revisions (
      id INTEGER PRIMARY KEY,
      event_id TEXT NOT NULL REFERENCES events (id),
      sequence INTEGER NOT NULL CHECK (sequence >= 1),
      revision_id TEXT NOT NULL,
      observed_at INTEGER NOT NULL,
      observation_window INTEGER NOT NULL,
      published_at INTEGER NOT NULL,
      west REAL NOT NULL,
      south REAL NOT NULL,
      east REAL NOT NULL,
      north REAL NOT NULL,
      manifest BLOB NOT NULL,
      manifest_sha256 TEXT NOT NULL,
      UNIQUE (event_id, sequence),
      UNIQUE (event_id, revision_id)
    ) STRICT;
    CREATE INDEX revisions_by_window ON revisions (event_id, observation_window, sequence);

    -- event_id and sequence are the revision's, repeated for the indices.
    CREATE TABLE revision_layers (
      revision INTEGER NOT NULL REFERENCES revisions (id) ON DELETE CASCADE,
      product_id TEXT NOT NULL,
      event_id TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      observed_at INTEGER NOT NULL,
      frame_id TEXT NOT NULL,
      west REAL NOT NULL,
      south REAL NOT NULL,
      east REAL NOT NULL,
      north REAL NOT NULL,
      message_sha256 TEXT NOT NULL,
      source_url TEXT NOT NULL,
      source_last_modified INTEGER,
      PRIMARY KEY (revision, product_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX layers_by_frame ON revision_layers (frame_id, event_id, product_id);
    CREATE INDEX layers_by_time ON revision_layers (event_id, product_id, observed_at, sequence);

    -- An asset may be known before its event is; discovery rises with every discovery, also of a known asset.
    CREATE TABLE assets (
      id INTEGER PRIMARY KEY,
      event_id TEXT NOT NULL,
      locator TEXT NOT NULL,
      product_id TEXT,
      observed_at INTEGER,
      byte_length INTEGER,
      sha256 TEXT,
      last_modified_at INTEGER,
      discovery INTEGER NOT NULL UNIQUE,
      status TEXT NOT NULL CHECK (status IN ('discovered', 'queued', 'processing', 'complete', 'failed')),
      completed_at INTEGER,
      error_message TEXT,
      UNIQUE (event_id, locator)
    ) STRICT;
    CREATE INDEX assets_by_product ON assets (product_id, discovery);
  `,
};
