// Version 1: the catalog of a service. The tables are those of a data directory, except that frames are blobs in an
// object store, protected by a foreign key. Instants are milliseconds since the Unix epoch.
import type { ServiceMigration } from "./service-migration.ts";

export const firstService: ServiceMigration = {
  version: 1,
  sql: `
    -- The service's clock: all nodes use the one of the database.
    CREATE FUNCTION catalog_clock() RETURNS bigint LANGUAGE sql VOLATILE AS
      $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

    CREATE SEQUENCE event_versions;

    -- version gets a new value with every change of the event or its revisions. The lock on the row orders publications.
    CREATE TABLE events (
      id text COLLATE "C" PRIMARY KEY,
      version bigint NOT NULL,
      kind text NOT NULL CHECK (kind IN ('historical-event', 'operational-feed')),
      label text NOT NULL,
      origin text NOT NULL CHECK (origin IN ('observed', 'synthetic', 'replay')),
      status text NOT NULL CHECK (status IN ('active', 'complete', 'archived')),
      started_at bigint,
      ended_at bigint,
      west float8,
      south float8,
      east float8,
      north float8,
      current_revision_id text COLLATE "C",
      last_sequence bigint NOT NULL CHECK (last_sequence >= 0),
      last_published_at bigint,
      updated_at bigint NOT NULL,
      registered_started_at bigint,
      registered_ended_at bigint,
      mirror_of text,
      replay_of_event text COLLATE "C",
      replay_of_sequence bigint,
      pruned_sequence bigint NOT NULL CHECK (pruned_sequence >= 0)
    );
    CREATE INDEX events_by_end ON events (coalesce(ended_at, started_at) DESC NULLS LAST, id);

    CREATE TABLE revisions (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      event_id text COLLATE "C" NOT NULL REFERENCES events (id),
      sequence bigint NOT NULL CHECK (sequence >= 1),
      revision_id text COLLATE "C" NOT NULL,
      observed_at bigint NOT NULL,
      observation_window bigint NOT NULL,
      published_at bigint NOT NULL,
      west float8 NOT NULL,
      south float8 NOT NULL,
      east float8 NOT NULL,
      north float8 NOT NULL,
      manifest bytea NOT NULL,
      manifest_sha256 text NOT NULL,
      UNIQUE (event_id, sequence),
      UNIQUE (event_id, revision_id)
    );
    CREATE INDEX revisions_by_window ON revisions (event_id, observation_window, sequence);

    -- Bytes in the object store, by their SHA-256. A key is never used again.
    CREATE TABLE blobs (
      name text COLLATE "C" PRIMARY KEY,
      object_key text COLLATE "C" NOT NULL UNIQUE,
      byte_length bigint NOT NULL
    );

    -- event_id and sequence are the revision's, repeated for the indices.
    CREATE TABLE revision_layers (
      revision bigint NOT NULL REFERENCES revisions (id) ON DELETE CASCADE,
      product_id text COLLATE "C" NOT NULL,
      event_id text COLLATE "C" NOT NULL,
      sequence bigint NOT NULL,
      observed_at bigint NOT NULL,
      frame_id text COLLATE "C" NOT NULL REFERENCES blobs (name),
      west float8 NOT NULL,
      south float8 NOT NULL,
      east float8 NOT NULL,
      north float8 NOT NULL,
      message_sha256 text NOT NULL,
      source_url text NOT NULL,
      source_last_modified bigint,
      source_sha256 text COLLATE "C",
      PRIMARY KEY (revision, product_id)
    );
    CREATE INDEX layers_by_frame ON revision_layers (frame_id, event_id, product_id);
    CREATE INDEX layers_by_time ON revision_layers (event_id, product_id, observed_at, sequence);
    CREATE INDEX layers_by_source ON revision_layers (source_sha256) WHERE source_sha256 IS NOT NULL;

    -- Sequences of revisions that a repair took back. They stay used.
    CREATE TABLE withdrawn_revisions (
      event_id text COLLATE "C" NOT NULL REFERENCES events (id),
      sequence bigint NOT NULL CHECK (sequence >= 1),
      revision_id text COLLATE "C" NOT NULL,
      withdrawn_at bigint NOT NULL,
      reason text NOT NULL,
      PRIMARY KEY (event_id, sequence)
    );

    -- An asset may be known before its event is; discovery rises with every discovery, also of a known asset.
    CREATE SEQUENCE asset_discoveries;
    CREATE TABLE assets (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      event_id text COLLATE "C" NOT NULL,
      locator text COLLATE "C" NOT NULL,
      product_id text COLLATE "C",
      observed_at bigint,
      byte_length bigint,
      sha256 text,
      last_modified_at bigint,
      etag text,
      discovery bigint NOT NULL UNIQUE,
      status text NOT NULL CHECK (status IN ('discovered', 'queued', 'processing', 'complete', 'failed')),
      completed_at bigint,
      error_message text,
      UNIQUE (event_id, locator)
    );
    CREATE INDEX assets_by_product ON assets (product_id, discovery);

    -- Blobs of pruned revisions that are still to be forgotten, unless a revision shows them again by then.
    CREATE TABLE condemned_files (
      kind text NOT NULL CHECK (kind IN ('frame', 'source')),
      name text COLLATE "C" NOT NULL,
      PRIMARY KEY (kind, name)
    );
    -- Objects whose blobs are gone, to be deleted from the object store.
    CREATE TABLE condemned_objects (object_key text COLLATE "C" PRIMARY KEY);

    CREATE TABLE feed_log (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      at bigint NOT NULL,
      source text NOT NULL,
      event_id text NOT NULL,
      kind text NOT NULL,
      product_id text,
      observed_at bigint,
      locator text,
      byte_length bigint,
      delay_ms bigint,
      duration_ms bigint,
      revision_id text,
      sequence bigint,
      change text,
      message text
    );

    -- Work that one process at a time does. epoch rises with every new holder.
    CREATE TABLE leases (
      name text COLLATE "C" PRIMARY KEY,
      holder text NOT NULL,
      epoch bigint NOT NULL,
      expires_at bigint NOT NULL
    );
  `,
};
