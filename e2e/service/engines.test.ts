// A whole service on a real PostgreSQL server and a folder of objects, as its operators and users see it.
import { describe, expect, onTestFinished, test } from "vitest";
import { setVariables } from "../../electron/support/environment.ts";
import { runCommand } from "../../electron/support/host-process.ts";
import { hasPostgres, postgresNeeds } from "../../electron/support/engines/postgres-programs.ts";
import { serviceContract } from "./service-contract.ts";
import { useService } from "./service-trial.ts";

describe.skipIf(!hasPostgres)(`a service on PostgreSQL and a folder${postgresNeeds}`, () => {
  serviceContract();
});

describe.skipIf(!hasPostgres)(`a service that cannot start${postgresNeeds}`, () => {
  const service = useService();

  test("because its database was never migrated says so in one line", async () => {
    const { status, lines, stderr } = await service().run("serve", "--no-open", "--port", "0");
    expect([status, lines]).toEqual([1, []]);
    expect(stderr).toMatch(/^echotop: .*`catalog\.url` has no catalog yet: run echotop migrate\.\n$/);
  });

  test("because its object store is not there says so before the database is touched", async () => {
    onTestFinished(setVariables({ AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "s3cr3t" }));
    const objects = { url: "s3://storms", endpoint: "http://127.0.0.1:1", path_style: true };
    const config = service().writeConfig("no-objects", { objects });
    const { status, lines, stderr } = await runCommand(["migrate", "--config", config]);
    expect([status, lines]).toEqual([1, []]);
    expect(stderr).toMatch(/^echotop: .*`objects\.endpoint` refuses the connection.*\n$/);
    expect((await service().run("migrate")).lines[0]).toMatchObject({ from: 0 });
  });

  test("because of a newer database leaves it unchanged", async () => {
    const { server, database, run, config } = service();
    const [{ to }] = (await run("migrate")).lines as [{ to: number }];
    await server.query("UPDATE catalog_schema SET version = version + 1", database);
    for (const command of [["migrate"], ["known", "storm", "--at", "1"]]) {
      const { status, stderr } = await runCommand([...command, "--config", config]);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^echotop: .*`catalog\.url` has version \d+, made by a newer Echotop; .*\n$/);
    }
    expect(await server.query("SELECT version FROM catalog_schema", database)).toEqual([{ version: to + 1 }]);
  });
});
