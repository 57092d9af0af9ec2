// The request log of a service: the contract of all logs, several writers, days, and a database that goes away.
import { describe, expect, onTestFinished, test } from "vitest";
import { createServiceTrial, type ServiceTrial } from "../../../catalog/postgres/support/service-trial.ts";
import { usePostgres } from "../../../platform/postgres/support/test-server.ts";
import { hasPostgres, postgresNeeds } from "../../../support/engines/postgres-programs.ts";
import { startRelay } from "../../../support/engines/relay.ts";
import type { RequestLog, RequestLogOptions } from "../log/request-log.ts";
import { logContract, query, read } from "../support/log-contract.ts";
import { epochMs, eventually, idsOf, makeRecord } from "../support/sample-records.ts";
import { openOwnDatabase } from "../support/service-places.ts";
import { createServiceRecords, openServiceLog } from "./service-records.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;

describe.skipIf(!hasPostgres)(`PostgreSQL${postgresNeeds}`, () => {
  const server = usePostgres();

  async function createTrial(): Promise<ServiceTrial> {
    const trial = await createServiceTrial(server());
    await trial.setClock(epochMs + hourMs);
    return trial;
  }

  /** Opens the log as a gateway of its own would. */
  async function openLog(
    url: string,
    options: Partial<RequestLogOptions> = {},
  ): Promise<{ readonly log: RequestLog; readonly said: readonly string[] }> {
    const said: string[] = [];
    const log = await openServiceLog(await openOwnDatabase(url), {
      keepDays: 30,
      push: undefined,
      now: () => new Date(epochMs + hourMs),
      fetch: () => Promise.reject(new Error("Nothing is to be fetched.")),
      log: (level, message) => said.push(`${level}: ${message}`),
      ...options,
    });
    onTestFinished(() => log.close());
    return { log, said };
  }

  const listDays = async ({ database }: ServiceTrial): Promise<readonly string[]> => {
    const rows = await database.read<{ name: string }>(
      "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'gateway_records'::regclass",
    );
    return rows.map(({ name }) => name.replace("gateway_records_", "")).toSorted();
  };

  logContract("a service", async () => (await openLog((await createTrial()).url)).log);

  test("the records of several gateways are read from each, page by page", async () => {
    const { url } = await createTrial();
    const [{ log: a }, { log: b }] = [await openLog(url), await openLog(url)];
    for (let n = 0; n < 600; n++) (n % 2 === 0 ? a : b).append(makeRecord(n));
    await Promise.all([read(a, query()), read(b, query())]);
    const first = await a.page(query({ limit: 400 }));
    const second = await b.page({ ...query({ limit: 400 }), after: first.next });
    expect(idsOf([...first.records, ...second.records])).toEqual(
      Array.from({ length: 600 }, (_, n) => `r${n}`),
    );
  });

  test("days have partitions before their records come, also days of a clock that is wrong", async () => {
    const trial = await createTrial();
    const { log } = await openLog(trial.url);
    expect(await listDays(trial)).toEqual(["20261120", "20261121", "20261122"]);
    const records = [-40 * dayMs, -dayMs, 0, 5 * dayMs].map((ms, n) => makeRecord(n, { at: epochMs + ms }));
    for (const record of records) log.append(record);
    expect(await read(log, query())).toEqual(records);
    expect(await listDays(trial)).toEqual([
      ...["20261011", "20261119", "20261120", "20261121", "20261122", "20261125"],
    ]);
  });

  test("old days are removed whole, by the clock of the database", async () => {
    const trial = await createTrial();
    const { log: first } = await openLog(trial.url);
    for (let day = -5; day <= 0; day++) first.append(makeRecord(day, { at: epochMs + day * dayMs }));
    await read(first, query());
    await first.close();
    const wrong = { now: () => new Date(epochMs + 4_000 * dayMs) };
    const { log, said } = await openLog(trial.url, { keepDays: 2, ...wrong });
    // The day on which the oldest record to keep was made stays whole.
    await eventually(() => listDays(trial)).toEqual([
      "20261118",
      "20261119",
      "20261120",
      "20261121",
      "20261122",
    ]);
    expect(idsOf(await read(log, query()))).toEqual(["r-2", "r-1", "r0"]);
    expect(said).toEqual([]);
  });

  test("a record of a day that another gateway has just removed is written all the same", async () => {
    const { url, database } = await createTrial();
    const { log } = await openLog(url);
    log.append(makeRecord(1, { at: epochMs - dayMs }));
    await read(log, query());
    await database.transact("durable", ({ execute }) => execute("DROP TABLE gateway_records_20261119"));
    log.append(makeRecord(2, { at: epochMs - dayMs }));
    expect(idsOf(await read(log, query()))).toEqual(["r2"]);
  });

  test("a batch whose commit is not answered is written once", async () => {
    const { url } = await createTrial();
    const relay = await startRelay(server().port);
    onTestFinished(() => relay.close());
    const records = createServiceRecords(
      await openOwnDatabase(url.replace(String(server().port), String(relay.port))),
    );
    const batch = Array.from({ length: 5 }, (_, n) => makeRecord(n));
    relay.watch((bytes) => {
      if (bytes.includes("COMMIT")) setImmediate(relay.cut);
      return true;
    });
    await expect(records.insert(batch)).rejects.toMatchObject({ code: "storage-unavailable" });
    relay.watch(() => true);
    await records.insert([...batch, makeRecord(5)]);
    const { log } = await openLog(url);
    expect(idsOf(await read(log, query()))).toEqual(["r0", "r1", "r2", "r3", "r4", "r5"]);
  });

  test("one gateway pushes the records of all, in the order of writing, and another takes over from it", async () => {
    const trial = await createTrial();
    const taken: { readonly by: string; readonly ids: readonly string[] }[] = [];
    const openPushing = (by: string) =>
      openLog(trial.url, {
        push: { url: "http://sink.example/", intervalMs: 5 },
        fetch: (_url, init) => {
          const lines = (init?.body as string).trim().split("\n");
          taken.push({ by, ids: lines.map((line) => (JSON.parse(line) as { id: string }).id) });
          return Promise.resolve(new Response(null, { status: 204 }));
        },
      });
    const [{ log: a }, { log: b }] = [await openPushing("a"), await openPushing("b")];
    const pushed = (): string[] => taken.flatMap(({ ids }) => ids);
    for (let n = 0; n < 400; n++) (n % 2 === 0 ? a : b).append(makeRecord(n));
    await eventually(() => new Set(pushed()).size).toBe(400);
    expect(new Set(taken.map(({ by }) => by))).toEqual(new Set(["a"]));
    expect(pushed()).toHaveLength(400);
    await a.close();
    b.append(makeRecord(400));
    await eventually(() => taken.at(-1)).toEqual({ by: "b", ids: ["r400"] });
    expect(pushed()).toHaveLength(401);
  });

  test("while the database is away, records wait in memory, queries say so, and all are there afterwards", async () => {
    const { url } = await createTrial();
    const { log, said } = await openLog(url);
    await server().kill();
    for (let n = 0; n < 300; n++) log.append(makeRecord(n));
    await expect(read(log, query())).rejects.toMatchObject({ code: "storage-unavailable" });
    expect(log.state()).toEqual({ waiting: 300, lost: 0 });
    await server().start();
    await eventually(() => log.state().waiting).toBe(0);
    expect(await read(log, query())).toHaveLength(300);
    expect(said.filter((line) => !line.startsWith("warn: Old"))).toEqual([
      "error: The gateway's request records cannot be written: No database of `catalog.url` answers: check that it runs, and the hosts and ports there.",
      "info: The gateway's request records are written again.",
    ]);
  });
});
