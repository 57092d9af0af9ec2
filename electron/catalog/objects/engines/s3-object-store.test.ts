// Objects and blobs in a bucket of a real server, the first that is installed. `npm run test:service` tries all, and
// puts them into trouble.
import { describe } from "vitest";
import { cephGateway } from "../../../support/engines/ceph-gateway.ts";
import { nameWithNeeds } from "../../../support/engines/object-server.ts";
import { swiftServers } from "../../../support/engines/swift-servers.ts";
import { testBlobStores } from "../support/blob-contract.ts";
import { testObjectStore } from "../support/object-store-contract.ts";
import { useTestBucket } from "../support/test-bucket.ts";

// Swift starts in a third of the time.
const engine = [swiftServers, cephGateway].find(({ isInstalled }) => isInstalled()) ?? swiftServers;

describe.skipIf(!engine.isInstalled())(nameWithNeeds(engine), () => {
  const bucket = useTestBucket(engine);

  testObjectStore(() => bucket().objects);
  testBlobStores(() => bucket().objects);
});
