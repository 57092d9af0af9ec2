// A short form of the contract of copies, from a directory to a service; `npm run test:service` has all.
import { describe } from "vitest";
import { usePostgres } from "../../platform/postgres/support/test-server.ts";
import { hasPostgres, postgresNeeds } from "../../support/engines/postgres-programs.ts";
import { copyContract } from "../contract/copy-contract.ts";
import { directoryPlace } from "./support/copied-directory.ts";
import { servicePlace } from "./support/copied-service.ts";

describe.skipIf(!hasPostgres)(`copies of a service${postgresNeeds}`, () => {
  copyContract(directoryPlace, servicePlace(usePostgres()));
});
