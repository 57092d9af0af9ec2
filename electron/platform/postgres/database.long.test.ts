import { describe, expect, onTestFinished, test } from "vitest";
import { hasPostgres, postgresNeeds } from "../../support/engines/postgres-programs.ts";
import { startRelay } from "../../support/engines/relay.ts";
import { CommitUnknownError } from "./database-error.ts";
import { openDatabase, type Database } from "./database.ts";
import { allowAlone, giveUpWaiting, requireStandby } from "./support/missing-standby.ts";
import { openTestDatabase, usePostgres } from "./support/test-server.ts";

describe.skipIf(!hasPostgres)(`a PostgreSQL database${postgresNeeds}`, () => {
  const server = usePostgres();

  async function createTable(): Promise<{ database: Database; url: string }> {
    const url = server().url(await server().createDatabase());
    const database = await openTestDatabase(url);
    await database.transact("durable", (session) =>
      session.query("CREATE TABLE counts (id int PRIMARY KEY, n int8 NOT NULL)"),
    );
    await database.transact("durable", (session) =>
      session.query("INSERT INTO counts VALUES (1, 0), (2, 0)"),
    );
    return { database, url };
  }

  test("answers int8 as numbers and refuses those that a number cannot hold", async () => {
    const database = await openTestDatabase(server().url());
    expect(await database.read("SELECT $1::int8 AS n, 0.1::float8 AS x", [2 ** 53 - 1])).toEqual([
      { n: 2 ** 53 - 1, x: 0.1 },
    ]);
    await expect(database.read("SELECT 9007199254740993::int8 AS n")).rejects.toThrow("too large");
    expect(await database.read("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("a refused connection says what to do, and never a password", async () => {
    const url = server().url();
    const password = process.env.PGPASSWORD;
    process.env.PGPASSWORD = "hunter2";
    const patienceMs = { read: 0 };
    await expect(openDatabase({ url })).rejects.toMatchObject({
      code: "storage-failed",
      detail: expect.stringMatching(
        /refused the user or the password: .*`catalog.url`.*PGPASSWORD/,
      ) as string,
    });
    process.env.PGPASSWORD = password;
    const unknown = server().url("nowhere");
    await expect(openDatabase({ url: unknown })).rejects.toThrow("does not exist: create it");
    await expect(openDatabase({ url: url.replace("disable", "require") })).rejects.toThrow(
      "does not speak TLS",
    );
    const nobody = "postgres://wx@127.0.0.1:9,[::1]:9/echotop";
    await expect(openDatabase({ url: nobody, patienceMs })).rejects.toMatchObject({
      code: "storage-unavailable",
      detail: expect.stringContaining("No database of `catalog.url` answers") as string,
    });
  });

  test("transactions that lock each other out are repeated", async () => {
    const { database } = await createTable();
    const add = async (
      first: number,
      second: number,
      meet: Promise<undefined>,
      arrive: (value: undefined) => void,
    ): Promise<void> =>
      database.transact("durable", async ({ query }) => {
        await query("UPDATE counts SET n = n + 1 WHERE id = $1", [first]);
        arrive(undefined);
        await meet;
        await query("UPDATE counts SET n = n + 1 WHERE id = $1", [second]);
      });
    const here = Promise.withResolvers<undefined>();
    const there = Promise.withResolvers<undefined>();
    await Promise.all([add(1, 2, there.promise, here.resolve), add(2, 1, here.promise, there.resolve)]);
    expect(await database.read("SELECT n FROM counts ORDER BY id")).toEqual([{ n: 2 }, { n: 2 }]);
  });

  test("what waits for a connection goes on when all are lost", async () => {
    const url = server().url();
    const database = await openTestDatabase(url, { connections: 1 });
    const other = await openTestDatabase(url, { connections: 1 });
    const [holder] = await database.read<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    let attempts = 0;
    let waiting: Promise<readonly object[]> | undefined;
    await database.transact("durable", async ({ query }) => {
      attempts += 1;
      waiting ??= database.read("SELECT 1 AS one");
      if (attempts === 1) await other.read("SELECT pg_terminate_backend($1)", [holder!.pid]);
      await query("SELECT 1");
    });
    expect(attempts).toBe(2);
    expect(await waiting).toEqual([{ one: 1 }]);
  });

  test("a read that takes too long fails alone", async () => {
    const database = await openTestDatabase(server().url(), { connections: 2 });
    const listPids = async (): Promise<unknown[]> => {
      const pid = (): Promise<readonly object[]> => database.read("SELECT pg_backend_pid(), pg_sleep(0.05)");
      return (await Promise.all([pid(), pid()])).flat().map((row) => Object.values(row)[0] as unknown);
    };
    const before = await listPids();
    await expect(database.read("SELECT pg_sleep(60)")).rejects.toMatchObject({
      code: "storage-unavailable",
      detail: expect.stringContaining("took too long") as string,
    });
    expect(new Set(await listPids())).toEqual(new Set(before));
  });

  test("waiting for a free connection has an end", async () => {
    const options = { connections: 1, patienceMs: { read: 50 } };
    const database = await openTestDatabase(server().url(), options);
    await database.transact("durable", async ({ query }) => {
      const waiting = database.read("SELECT 1 AS one");
      await expect(waiting).rejects.toMatchObject({
        code: "storage-unavailable",
        detail: expect.stringContaining("All connections") as string,
      });
      expect(await query("SELECT 2 AS two")).toEqual([{ two: 2 }]);
    });
    expect(await database.read("SELECT 3 AS three")).toEqual([{ three: 3 }]);
  });

  test("an error in a transaction undoes it", async () => {
    const { database } = await createTable();
    const failing = database.transact("durable", async ({ query }) => {
      await query("UPDATE counts SET n = 7");
      throw new Error("no more");
    });
    await expect(failing).rejects.toThrow("no more");
    expect(await database.read("SELECT DISTINCT n FROM counts")).toEqual([{ n: 0 }]);
  });

  test("the error of a transaction is that of its first statement that failed", async () => {
    const { database } = await createTable();
    const failing = database.transact("durable", async ({ query }) => {
      const fail = async (): Promise<unknown> => Promise.all([Promise.all([query("SELECT 1 / 0")])]);
      const both = Promise.all([fail(), query("SELECT 1")]);
      // Both answers arrive before one is read.
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50));
      await both;
    });
    await expect(failing).rejects.toThrow("(22012)");
  });

  test("a transaction begins again if its connection is lost before the commit", async () => {
    const { database } = await createTable();
    let attempts = 0;
    await database.transact("durable", async ({ query }) => {
      attempts += 1;
      await query("UPDATE counts SET n = n + 1");
      if (attempts === 1) await query("SELECT pg_terminate_backend(pg_backend_pid())");
    });
    expect(attempts).toBe(2);
    expect(await database.read("SELECT DISTINCT n FROM counts")).toEqual([{ n: 1 }]);
  });

  test("a transaction begins again after its process slept, and held nobody up for longer than they wait", async () => {
    const { database, url } = await createTable();
    const other = await openTestDatabase(url);
    let attempts = 0;
    await database.transact("durable", async ({ query }) => {
      attempts += 1;
      await query("UPDATE counts SET n = n + 1 WHERE id = 1");
      // Waits for the row.
      if (attempts === 1)
        await other.transact("durable", (session) => session.query("UPDATE counts SET n = n + 10"));
      await query("UPDATE counts SET n = n + 1 WHERE id = 2");
    });
    expect(attempts).toBe(2);
    expect(await database.read("SELECT DISTINCT n FROM counts")).toEqual([{ n: 11 }]);
  });

  test("a commit whose answer is lost is neither repeated nor taken for done", async () => {
    const { url } = await createTable();
    const relay = await startRelay(server().port);
    onTestFinished(() => relay.close());
    const database = await openTestDatabase(url.replace(String(server().port), String(relay.port)));
    relay.watch((bytes) => {
      if (bytes.includes("COMMIT")) setImmediate(relay.cut);
      return true;
    });
    const change = database.transact("durable", ({ query }) => query("UPDATE counts SET n = n + 1"));
    await expect(change).rejects.toBeInstanceOf(CommitUnknownError);
    relay.watch(() => true);
    expect(await database.read("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("a commit that no standby has confirmed is not taken for done, also if the server gives up", async () => {
    const { database } = await createTable();
    await requireStandby(server());
    const change = database.transact("durable", ({ query }) => query("UPDATE counts SET n = n + 1"));
    const refused = expect(change).rejects.toMatchObject({
      code: "storage-unavailable",
      detail: expect.stringMatching(/No standby has confirmed .*synchronous_standby_names/) as string,
    });
    while (!(await giveUpWaiting(server())));
    await refused;
  });

  test("a commit without a standby ends in time, and so does what waits for its locks", async () => {
    const { url } = await createTable();
    await requireStandby(server());
    const database = await openTestDatabase(url, { patienceMs: { commit: 100, statement: 100 } });
    const change = (): Promise<unknown> =>
      database.transact("durable", ({ query }) => query("UPDATE counts SET n = n + 1"));
    await expect(change()).rejects.toThrow(/No standby has confirmed/);
    await expect(change()).rejects.toMatchObject({
      code: "storage-unavailable",
      detail: expect.stringContaining("standby") as string,
    });
    expect(await database.read("SELECT DISTINCT n FROM counts")).toEqual([{ n: 0 }]);
    await allowAlone(server());
    await change();
    expect(await database.read("SELECT DISTINCT n FROM counts")).toEqual([{ n: 2 }]);
  });

  test("reads and transactions go on after the server was killed and restarted", async () => {
    const { database } = await createTable();
    await server().kill();
    const change = database.transact("durable", ({ query }) => query("UPDATE counts SET n = n + 1"));
    const read = database.read("SELECT 1 AS one");
    await server().start();
    await change;
    expect(await read).toEqual([{ one: 1 }]);
    expect(await database.read("SELECT DISTINCT n FROM counts")).toEqual([{ n: 1 }]);
  });

  test("a listener that is silently dead comes back and looks", async () => {
    const { database: other, url } = await createTable();
    const relay = await startRelay(server().port);
    onTestFinished(() => relay.close());
    const database = await openTestDatabase(url.replace(String(server().port), String(relay.port)));
    let hints = 0;
    const untilHint = async (more: number): Promise<void> => {
      while (hints < more) await new Promise((resolve) => setImmediate(resolve));
    };
    const listening = database.listen({
      channel: "changes",
      heartbeatMs: 50,
      onHint: () => {
        hints += 1;
      },
    });
    onTestFinished(() => listening.close());
    const notify = (): Promise<unknown> => other.transact("durable", ({ query }) => query("NOTIFY changes"));
    await untilHint(1);
    await notify();
    await untilHint(2);
    relay.fallSilent();
    await notify();
    relay.recover();
    await untilHint(3);
    await notify();
    await untilHint(4);
    expect(hints).toBe(4);
  });
});
