import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { isListening } from "./engine-parts.ts";
import { startPostgresPair } from "./postgres-pair.ts";
import { hasPostgres, postgresNeeds } from "./postgres-programs.ts";
import { startPostgres } from "./postgres-server.ts";

describe.skipIf(!hasPostgres)(`a PostgreSQL server of a test${postgresNeeds}`, () => {
  test("keeps what was committed when it is killed and restarted", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    await server.query("CREATE TABLE seen AS SELECT 7 AS n");
    await server.kill();
    await expect(server.query("SELECT 1")).rejects.toThrow("ECONNREFUSED");
    await server.start();
    expect(await server.query("SELECT n FROM seen")).toEqual([{ n: 7 }]);
  });

  test("ends with the process that started it, also if that is killed", async () => {
    const module = new URL("postgres-server.ts", import.meta.url).href;
    const code = `const { startPostgres } = await import("${module}");
      const { port, folder } = await startPostgres();
      console.log(JSON.stringify({ port, folder }));
      setInterval(() => {}, 1_000);`;
    const starter = spawn(process.execPath, ["--input-type=module", "--eval", code], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void starter.kill("SIGKILL"));
    const [line] = (await once(createInterface(starter.stdout), "line")) as [string];
    const { port, folder } = JSON.parse(line) as { readonly port: number; readonly folder: string };
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    expect(await isListening(port)).toBe(true);
    starter.kill("SIGKILL");
    await expect.poll(() => isListening(port), { timeout: 10_000 }).toBe(false);
  });

  test("has a standby with every commit, which takes over and is joined by the old primary", async () => {
    const { primary, standby, promote, rejoin, remove } = await startPostgresPair();
    onTestFinished(remove);
    await primary.query("CREATE TABLE seen AS SELECT 7 AS n");
    await primary.kill();
    await promote();
    await standby.query("INSERT INTO seen VALUES (8)");
    await rejoin();
    await standby.query("INSERT INTO seen VALUES (9)");
    expect(await standby.query("SELECT n FROM seen ORDER BY n")).toEqual([{ n: 7 }, { n: 8 }, { n: 9 }]);
    expect(await primary.query("SELECT pg_is_in_recovery() AS follows")).toEqual([{ follows: true }]);
  });
});
