// The contract of copies, between a service and a directory.
import { describe } from "vitest";
import { usePostgres } from "../../platform/postgres/support/test-server.ts";
import { hasPostgres, postgresNeeds } from "../../support/engines/postgres-programs.ts";
import { copyContract, usedCopyContract } from "../contract/copy-contract.ts";
import { directoryPlace } from "./support/copied-directory.ts";
import { servicePlace } from "./support/copied-service.ts";

describe.skipIf(!hasPostgres)(`copies of a service${postgresNeeds}`, () => {
  const place = servicePlace(usePostgres());
  copyContract(place, directoryPlace);
  usedCopyContract(place, directoryPlace);
  usedCopyContract(directoryPlace, place);
});
