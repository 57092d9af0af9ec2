// A service as a side of the contract of copies.
import type { PostgresServer } from "../../../support/engines/postgres-server.ts";
import type { CopiedPlace } from "../../contract/copy-contract.ts";
import type { ServiceLocation } from "../../stores/located-stores.ts";
import { verifyService } from "../../verify/service/verify-service.ts";
import { createServicePlace } from "./copy-trial.ts";

export function servicePlace(server: () => PostgresServer): CopiedPlace {
  return {
    name: "a service",
    create: () => createServicePlace(server()),
    findFaults: async (location) => {
      const { findings } = await verifyService(location as ServiceLocation);
      return findings
        .filter(({ severity }) => severity === "fault")
        .map(({ where, what }) => `${where}: ${what}`);
    },
  };
}
