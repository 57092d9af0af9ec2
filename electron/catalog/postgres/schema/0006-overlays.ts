// Version 6: overlays kept with events.
import type { ServiceMigration } from "./service-migration.ts";

export const keptOverlays: ServiceMigration = {
  version: 6,
  sql: `
    -- document is JSON of what is known about the content, which is the file as it was fetched. fetched_at repeats a
    -- part of it, in milliseconds since the Unix epoch.
    CREATE TABLE kept_overlays (
      event_id text COLLATE "C" NOT NULL REFERENCES events (id) ON DELETE CASCADE,
      name text COLLATE "C" NOT NULL,
      sha256 text NOT NULL,
      fetched_at bigint NOT NULL,
      document text NOT NULL,
      content bytea NOT NULL,
      PRIMARY KEY (event_id, name)
    );
  `,
};
