// The limit of the audit trail of a service; it needs a thousand changes.
import { describe } from "vitest";
import { usePostgres } from "../../../platform/postgres/support/test-server.ts";
import { hasPostgres, postgresNeeds } from "../../../support/engines/postgres-programs.ts";
import { createSettingsPlace } from "../support/service-places.ts";
import { auditLimitContract } from "../support/settings-contract.ts";

describe.skipIf(!hasPostgres)(`settings of zones${postgresNeeds}`, () => {
  const server = usePostgres();
  auditLimitContract("a service", () => createSettingsPlace(server()));
});
