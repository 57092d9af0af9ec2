// A service as a side of the contract of copies.
import type { PostgresServer } from "../../../support/engines/postgres-server.ts";
import type { CopiedPlace } from "../../contract/copy-contract.ts";
import { createServicePlace } from "./copy-trial.ts";

export function servicePlace(server: () => PostgresServer): CopiedPlace {
  return {
    name: "a service",
    create: () => createServicePlace(server()),
    findFaults: () => Promise.resolve([]),
  };
}
