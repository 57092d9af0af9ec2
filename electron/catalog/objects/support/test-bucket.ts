// A bucket on a real server that a test file starts, and stores over it.
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll } from "vitest";
import { setVariables } from "../../../support/environment.ts";
import { startFaultProxy, type FaultProxy } from "../../../support/engines/fault-proxy.ts";
import type { ObjectEngine, ObjectServer } from "../../../support/engines/object-server.ts";
import type { S3Settings } from "../../../platform/s3/s3-bucket.ts";
import type { ObjectStore } from "../object-store.ts";
import { openS3ObjectStore } from "../engines/s3-object-store.ts";

export interface TestBucket {
  readonly server: ObjectServer;
  /** Between the stores and the server. */
  readonly proxy: FaultProxy;
  readonly settings: S3Settings;
  readonly objects: ObjectStore;
  close(): Promise<void>;
}

/** Starts a bucket for the tests of a suite, and closes it after them. */
export function useTestBucket(engine: ObjectEngine): () => TestBucket {
  let bucket: TestBucket;
  beforeAll(async () => {
    bucket = await startTestBucket(engine);
  }, 120_000);
  afterAll(() => bucket.close());
  return () => bucket;
}

/** Starts the server, creates a bucket, and sets the credentials of this process until it is closed. */
export async function startTestBucket(engine: ObjectEngine): Promise<TestBucket> {
  const server = await engine.start();
  const { endpoint, region, accessKeyId, secretAccessKey } = server;
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials: server });
  await client.send(new CreateBucketCommand({ Bucket: "echotop" }));
  client.destroy();
  const restore = setVariables({ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey });
  const proxy = await startFaultProxy(endpoint);
  const settings = {
    url: "s3://echotop/service/a",
    endpoint: proxy.endpoint,
    pathStyle: true,
    patienceMs: 1_000,
  };
  const objects = await openS3ObjectStore(settings);
  return {
    server,
    proxy,
    settings,
    objects,
    async close() {
      await objects.close();
      await proxy.close();
      restore();
      await server.stop();
    },
  };
}
