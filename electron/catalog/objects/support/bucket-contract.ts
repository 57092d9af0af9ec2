// All tests of a bucket on a real server. They are skipped, by a name that says what to install, if it is not there.
import { describe } from "vitest";
import { usePostgres } from "../../../platform/postgres/support/test-server.ts";
import { hasPostgres, postgresNeeds } from "../../../support/engines/postgres-programs.ts";
import { nameWithNeeds, type ObjectEngine } from "../../../support/engines/object-server.ts";
import { catalogContract } from "../../contract/catalog-contract.ts";
import { serviceEngine } from "../../postgres/support/service-engine.ts";
import { testBlobStores } from "./blob-contract.ts";
import { testManyObjects, testObjectStore } from "./object-store-contract.ts";
import { testPublication } from "./publication-contract.ts";
import { testRefusals } from "./refusal-contract.ts";
import { useTestBucket } from "./test-bucket.ts";
import { testTrouble } from "./trouble-contract.ts";

/** Registers all tests; the engine is started once. */
export function testBucketOf(engine: ObjectEngine): void {
  describe.skipIf(!engine.isInstalled())(nameWithNeeds(engine), () => {
    const bucket = useTestBucket(engine);

    testObjectStore(() => bucket().objects);
    testManyObjects(() => bucket().objects);
    testBlobStores(() => bucket().objects);
    testTrouble(bucket);
    testRefusals(bucket);

    describe.skipIf(!hasPostgres)(`with PostgreSQL${postgresNeeds}`, () => {
      const server = usePostgres();
      testPublication(server, bucket);
      catalogContract(serviceEngine("PostgreSQL and the bucket", server, () => bucket().objects));
    });
  });
}
