// The contract of the stores, with PostgreSQL and a folder of objects.
import { describe } from "vitest";
import { usePostgres } from "../../platform/postgres/support/test-server.ts";
import { hasPostgres, postgresNeeds } from "../../support/engines/postgres-programs.ts";
import { catalogContract } from "../contract/catalog-contract.ts";
import { serviceEngine } from "./support/service-engine.ts";

describe.skipIf(!hasPostgres)(`the stores of a service${postgresNeeds}`, () => {
  catalogContract(serviceEngine("PostgreSQL and a folder", usePostgres()));
});
