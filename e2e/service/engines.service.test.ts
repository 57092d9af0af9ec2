// A whole service on a real PostgreSQL server and a folder of objects, as its operators and users see it.
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { setVariables } from "../../electron/support/environment.ts";
import { runCommand } from "../../electron/support/host-process.ts";
import { hasPostgres, postgresNeeds } from "../../electron/support/engines/postgres-programs.ts";
import { writeWindows } from "../support/storm-files.ts";
import { serviceContract } from "./service-contract.ts";
import { useService } from "./service-trial.ts";

describe.skipIf(!hasPostgres)(`a service on PostgreSQL and a folder${postgresNeeds}`, () => {
  serviceContract();
});

interface Wrong {
  readonly catalog?: string;
  readonly port?: string;
  readonly objects?: string;
}

describe.skipIf(!hasPostgres)(`a service that cannot start${postgresNeeds}`, () => {
  const service = useService();

  test("because its database was never migrated says so in one line", async () => {
    const { status, lines, stderr } = await service().run("serve", "--no-open", "--port", "0");
    expect([status, lines]).toEqual([1, []]);
    expect(stderr).toMatch(/^echotop: .*`catalog\.url` has no catalog yet: run echotop migrate\.\n$/);
  });

  test.each([
    ["wrong password", {}, { PGPASSWORD: "wrong" }, /refused the user or the password: check .*PGPASSWORD/],
    ["unknown database", { catalog: "nowhere" }, {}, /does not exist: create it, .*`catalog\.url`/],
    ["database that is not there", { port: "1" }, {}, /No database of `catalog\.url` answers/],
    [
      "server that is not an S3 server",
      { objects: "s3://storms" },
      {},
      /`objects\.endpoint` does not answer as an S3/,
    ],
  ])(
    "because of a %s says so in one line, and nothing is written",
    async (_, wrong: Wrong, variables, line) => {
      const { server, database, objects, folder, writeConfig } = service();
      const url = new URL(server.url(wrong.catalog ?? database));
      url.port = wrong.port ?? url.port;
      const page = createServer((_request, response) => response.end("<!doctype html>")).listen(
        0,
        "127.0.0.1",
      );
      await once(page, "listening");
      onTestFinished(() => void page.close());
      const endpoint = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
      const keys = {
        catalog: { url: url.href },
        objects: wrong.objects === undefined ? objects : { url: wrong.objects, endpoint, path_style: true },
      };
      const credentials = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "s3cr3t" };
      onTestFinished(setVariables({ ...credentials, ...variables }));
      const config = writeConfig("wrong", keys);
      const file = writeWindows(join(folder, "files"), { first: 0, count: 1 })[0]!;
      const others = [
        ["serve", "--no-open", "--port", "0"],
        ["ingest", "--event", "a", file],
      ];
      // With a good database, the others say that it has no catalog.
      const commands = [["migrate"], ...(wrong.objects === undefined ? others : [])];
      await Promise.all(
        commands.map(async (command) => {
          const { status, lines, stderr } = await runCommand([...command, "--config", config]);
          expect([status, lines]).toEqual([1, []]);
          expect(stderr).toMatch(/^echotop: [^\n]+\n$/);
          expect(stderr).toMatch(line);
        }),
      );
      expect(await server.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'", database)).toEqual([]);
      const stored = readdirSync(fileURLToPath(objects.url), { recursive: true, withFileTypes: true });
      expect(stored.filter((entry) => entry.isFile())).toEqual([]);
    },
  );

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
