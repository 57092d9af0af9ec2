// A whole service on PostgreSQL and Ceph's gateway.
import { afterAll, describe } from "vitest";
import { startTestBucket, type TestBucket } from "../../electron/catalog/objects/support/test-bucket.ts";
import { cephGateway } from "../../electron/support/engines/ceph-gateway.ts";
import { hasPostgres, postgresNeeds } from "../../electron/support/engines/postgres-programs.ts";
import { serviceContract } from "./service-contract.ts";

const needs = cephGateway.isInstalled() ? postgresNeeds : ` (needs Ceph: ${cephGateway.install})`;

describe.skipIf(!hasPostgres || !cephGateway.isInstalled())(`a service on Ceph's gateway${needs}`, () => {
  let bucket: TestBucket | undefined;
  afterAll(() => bucket?.close());

  serviceContract(async () => {
    bucket = await startTestBucket(cephGateway);
    return { url: bucket.settings.url, endpoint: bucket.proxy.endpoint, path_style: true };
  });
});
