// Version 2: archive backfills, which the workers of a service share.
import type { ServiceMigration } from "./service-migration.ts";

export const secondService: ServiceMigration = {
  version: 2,
  sql: `
    -- One request for each event. source is the worker's business; is_whole is false if a part of it was not listed.
    CREATE TABLE backfills (
      event_id text COLLATE "C" PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
      source jsonb NOT NULL,
      source_name text NOT NULL,
      is_whole boolean NOT NULL,
      finished_at bigint
    );

    -- free_at is when a waiting window may be claimed: for a claimed one, when its claim expires. claims rises with
    -- every claim, losses with every claim that expired, failures with every attempt that failed.
    CREATE TABLE backfill_windows (
      event_id text COLLATE "C" NOT NULL REFERENCES backfills (event_id) ON DELETE CASCADE,
      observation_window bigint NOT NULL,
      files jsonb NOT NULL,
      state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'drawn', 'published', 'failed')),
      is_claimed boolean NOT NULL DEFAULT false,
      free_at bigint NOT NULL DEFAULT 0,
      claims bigint NOT NULL DEFAULT 0,
      losses int NOT NULL DEFAULT 0,
      failures int NOT NULL DEFAULT 0,
      drawn json,
      PRIMARY KEY (event_id, observation_window)
    );
    CREATE INDEX open_backfill_windows ON backfill_windows (event_id, observation_window)
      WHERE state IN ('waiting', 'drawn');
  `,
};
