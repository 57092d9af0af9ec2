// Version 5: the steps of briefings.
import type { ServiceMigration } from "./service-migration.ts";

export const briefingSteps: ServiceMigration = {
  version: 5,
  sql: `
    -- version rises with every change. document is JSON, kept as it was written; changed_at is in milliseconds since the
    -- Unix epoch.
    CREATE TABLE briefing_steps (
      event_id text COLLATE "C" PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
      version bigint NOT NULL CHECK (version >= 1),
      changed_at bigint NOT NULL,
      document text NOT NULL
    );
  `,
};
