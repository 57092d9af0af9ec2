// Version 3: what a feed says of itself, for viewers at any reader.
import type { ServiceMigration } from "./service-migration.ts";

export const thirdService: ServiceMigration = {
  version: 3,
  sql: `
    -- JSON of the process that holds the lease of a feed; of a former holder until the new one writes.
    ALTER TABLE leases ADD COLUMN report text;
  `,
};
