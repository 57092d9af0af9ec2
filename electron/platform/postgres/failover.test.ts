import { describe, expect, onTestFinished, test, vi } from "vitest";
import { startPostgresPair } from "../../support/engines/postgres-pair.ts";
import { hasPostgres, postgresNeeds } from "../../support/engines/postgres-programs.ts";
import { postgresUser } from "../../support/engines/postgres-server.ts";
import { loadPg } from "./client-settings.ts";
import { CommitUnknownError } from "./database-error.ts";
import { parseDatabaseUrl } from "./database-url.ts";
import { findPrimary } from "./find-primary.ts";
import { openTestDatabase, usePostgresPassword } from "./support/test-server.ts";

describe.skipIf(!hasPostgres)(`two PostgreSQL servers${postgresNeeds}`, () => {
  usePostgresPassword();

  test("nothing confirmed is lost when the primary is killed, and its return misleads nobody", async () => {
    const pair = await startPostgresPair();
    onTestFinished(pair.remove);
    const { primary, standby } = pair;
    const url = `postgres://${postgresUser}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`;
    const database = await openTestDatabase(url);
    await database.transact("durable", ({ query }) => query("CREATE TABLE seen (n int)"));
    const confirmed: number[] = [];
    const unknown: number[] = [];
    const insert = async (n: number): Promise<void> => {
      try {
        await database.transact("durable", ({ query }) => query("INSERT INTO seen VALUES ($1)", [n]));
        confirmed.push(n);
      } catch (error) {
        if (!(error instanceof CommitUnknownError)) throw error;
        unknown.push(n);
      }
    };
    let [next, isOver] = [0, false];
    const inserts = Array.from({ length: 4 }, async () => {
      while (!isOver) await insert(next++);
    });
    while (confirmed.length < 100) await new Promise((resolve) => setImmediate(resolve));
    await primary.kill();
    const decidedMs = performance.now();
    await pair.promote();
    const before = confirmed.length;
    while (confirmed.length === before) await new Promise((resolve) => setImmediate(resolve));
    expect(performance.now() - decidedMs).toBeLessThan(5_000);
    isOver = true;
    await Promise.all(inserts);
    const listed = async (): Promise<number[]> => {
      const rows = await database.read<{ n: number }>("SELECT n FROM seen");
      return rows.map(({ n }) => n);
    };
    const stored = await listed();
    expect(new Set(stored).size).toBe(stored.length);
    expect(stored).toEqual(expect.arrayContaining(confirmed));
    expect(confirmed.length + unknown.length).toBe(next);

    // The old primary does not know of its successor, takes writes, and is the first in the list.
    await primary.start();
    const fresh = await openTestDatabase(url);
    expect(await fresh.read("SELECT inet_server_port() AS port")).toEqual([{ port: standby.port }]);
    expect(await listed()).toEqual(stored);
  });

  test("the primary is known as soon as all hosts have answered", async () => {
    const pair = await startPostgresPair();
    onTestFinished(pair.remove);
    const { primary, standby } = pair;
    const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
    const address = parseDatabaseUrl(`postgres://${postgresUser}@${hosts}/postgres?sslmode=disable`);
    const pg = await loadPg();
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    expect(await findPrimary(address, pg)).toMatchObject({ host: { port: primary.port } });
  });

  test("a reader leaves a primary that lives on after another one was promoted", async () => {
    const pair = await startPostgresPair();
    onTestFinished(pair.remove);
    const { primary, standby } = pair;
    const url = `postgres://${postgresUser}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`;
    const database = await openTestDatabase(url);
    const findPort = async (): Promise<number> => {
      const [row] = await database.read<{ port: number }>("SELECT inet_server_port() AS port");
      return row!.port;
    };
    const listening = database.listen({ channel: "x", onHint: () => undefined, heartbeatMs: 20 });
    onTestFinished(() => listening.close());
    expect(await findPort()).toBe(primary.port);
    await pair.promote();
    await expect.poll(findPort, { timeout: 10_000 }).toBe(standby.port);
  });
});
