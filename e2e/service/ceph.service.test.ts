// A whole service on PostgreSQL and Ceph's gateway.
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { startTestBucket, type TestBucket } from "../../electron/catalog/objects/support/test-bucket.ts";
import { cephGateway } from "../../electron/support/engines/ceph-gateway.ts";
import { hasPostgres, postgresNeeds } from "../../electron/support/engines/postgres-programs.ts";
import { runCommand } from "../../electron/support/host-process.ts";
import { writeWindows } from "../support/storm-files.ts";
import { serviceContract } from "./service-contract.ts";
import { useService, type ObjectsKey } from "./service-trial.ts";

const needs = cephGateway.isInstalled() ? postgresNeeds : ` (needs Ceph: ${cephGateway.install})`;

describe.skipIf(!hasPostgres || !cephGateway.isInstalled())(`a service on Ceph's gateway${needs}`, () => {
  let bucket: TestBucket | undefined;
  afterAll(() => bucket?.close());

  async function startObjects(): Promise<ObjectsKey> {
    bucket ??= await startTestBucket(cephGateway);
    return { url: bucket.settings.url, endpoint: bucket.proxy.endpoint, path_style: true };
  }

  serviceContract(startObjects);

  describe("that is given a wrong store", () => {
    const service = useService(startObjects);

    const expectRefusal = async (args: readonly string[], line: RegExp): Promise<void> => {
      const { status, lines, stderr } = await runCommand(args);
      expect([status, lines]).toEqual([1, []]);
      // Progress comes before it.
      expect(stderr.trim().split("\n").at(-1)).toMatch(line);
    };
    const noBucket = /The bucket of `objects\.url` does not exist; create it, or correct the name\.$/;
    const countRows = async (table: string): Promise<number> => {
      const { server, database } = service();
      const [row] = await server.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`, database);
      return row!.n;
    };

    test("says that the bucket is not there, and writes nothing", async () => {
      const { objects, writeConfig } = service();
      const config = writeConfig("nowhere", { objects: { ...objects, url: "s3://echotop-nowhere" } });
      await expectRefusal(["migrate", "--config", config], noBucket);
      expect(await countRows("pg_tables WHERE schemaname = 'public'")).toBe(0);
    });

    test("does not believe a store that accepts uploads and drops them, and publishes nothing", async () => {
      const { folder, objects, run, config, writeConfig } = service();
      expect((await run("migrate")).status).toBe(0);
      const elsewhere = writeConfig("elsewhere", { objects: { ...objects, url: "s3://echotop-nowhere" } });
      await expectRefusal(["serve", "--no-open", "--port", "0", "--config", elsewhere], noBucket);
      bucket!.proxy.choose = () => "lie";
      onTestFinished(() => {
        bucket!.proxy.choose = () => undefined;
      });
      const [file] = writeWindows(`${folder}/lost`, { first: 0, count: 1 });
      await expectRefusal(["ingest", "--event", "lost", file!, "--config", config], /`objects\.url`/);
      expect([await countRows("blobs"), await countRows("revisions")]).toEqual([0, 0]);
    });
  });
});
