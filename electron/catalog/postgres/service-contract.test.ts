// A short form of the contract of the stores, with PostgreSQL and a folder of objects; `npm run test:service` has all.
import { describe } from "vitest";
import { usePostgres } from "../../platform/postgres/support/test-server.ts";
import { hasPostgres, postgresNeeds } from "../../support/engines/postgres-programs.ts";
import { publicationContract } from "../contract/publication-contract.ts";
import { readingContract } from "../contract/reading-contract.ts";
import { serviceEngine } from "./support/service-engine.ts";

describe.skipIf(!hasPostgres)(`the stores of a service${postgresNeeds}`, () => {
  const engine = serviceEngine("PostgreSQL and a folder", usePostgres());
  publicationContract(engine);
  readingContract(engine);
});
