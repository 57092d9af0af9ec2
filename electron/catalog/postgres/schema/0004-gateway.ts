// Version 4: the control plane of a service: platform tokens, and the gateway's settings and request log. Instants are
// milliseconds since the Unix epoch.
import type { ServiceMigration } from "./service-migration.ts";

export const controlPlane: ServiceMigration = {
  version: 4,
  sql: `
    CREATE TABLE platform_tokens (
      ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text COLLATE "C" NOT NULL UNIQUE,
      secret_sha256 bytea NOT NULL UNIQUE,
      name text,
      permission text NOT NULL,
      created_at bigint NOT NULL,
      expires_at bigint,
      revoked_at bigint
    );

    -- One row, which every change locks and counts.
    CREATE TABLE gateway_state (
      id int PRIMARY KEY CHECK (id = 1),
      revision bigint NOT NULL
    );
    INSERT INTO gateway_state VALUES (1, 0);

    -- The settings of a zone are one JSON document, which keeps the order of its keys.
    CREATE TABLE gateway_zones (
      zone text COLLATE "C" PRIMARY KEY,
      document text NOT NULL
    );

    -- name is the change's own: it tells if a change whose answer was lost has been made.
    CREATE TABLE gateway_audit (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text COLLATE "C" NOT NULL UNIQUE,
      zone text COLLATE "C" NOT NULL,
      at bigint NOT NULL,
      actor text NOT NULL,
      action text NOT NULL,
      before text NOT NULL,
      after text NOT NULL
    );
    CREATE INDEX gateway_audit_by_zone ON gateway_audit (zone, id);

    -- The request log: a partition for each day (UTC), made by the gateways. seq is the order of writing.
    CREATE SEQUENCE gateway_record_numbers;
    CREATE TABLE gateway_records (
      seq bigint NOT NULL DEFAULT nextval('gateway_record_numbers'),
      id text COLLATE "C" NOT NULL,
      at bigint NOT NULL,
      zone text COLLATE "C" NOT NULL,
      host text COLLATE "C" NOT NULL,
      path text COLLATE "C" NOT NULL,
      status bigint NOT NULL,
      user_agent text COLLATE "C" NOT NULL,
      category text COLLATE "C",
      name text COLLATE "C",
      reason text COLLATE "C" NOT NULL,
      target text COLLATE "C"
    ) PARTITION BY RANGE (at);
    CREATE INDEX gateway_records_by_seq ON gateway_records (seq);
    CREATE INDEX gateway_records_by_time ON gateway_records (zone, at, seq);
    CREATE INDEX gateway_verified_by_time ON gateway_records (zone, at, seq) WHERE category IS NOT NULL;
    CREATE INDEX gateway_redirects_by_time ON gateway_records (zone, at, seq) WHERE target IS NOT NULL;

    -- The last record that the receiver of the push has taken, and the process that pushes.
    CREATE TABLE gateway_push (
      id int PRIMARY KEY CHECK (id = 1),
      position bigint NOT NULL,
      holder text NOT NULL,
      expires_at bigint NOT NULL
    );
  `,
};
