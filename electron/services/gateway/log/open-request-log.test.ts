// The request log of a data directory: the contract of all logs, restarts, foreign files, and retention.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { logContract, query, read } from "../support/log-contract.ts";
import {
  epochMs,
  eventually,
  idsOf,
  makeRecord,
  openTestLog,
  temporaryDirectory,
} from "../support/sample-records.ts";

logContract("a data directory", async () => (await openTestLog()).log);

test("records survive a restart, and a deleted file begins anew", async () => {
  const { log, directory } = await openTestLog();
  log.append(makeRecord(1));
  await log.close();
  await log.close();
  const file = join(directory, "gateway", "requests.sqlite");
  expect(existsSync(`${file}-wal`)).toBe(false);
  const { log: again } = await openTestLog({ directory });
  expect(idsOf(await read(again, query()))).toEqual(["r1"]);
  await again.close();
  rmSync(file);
  const { log: anew } = await openTestLog({ directory });
  expect(await read(anew, query())).toEqual([]);
  anew.append(makeRecord(2));
  expect(idsOf(await read(anew, query()))).toEqual(["r2"]);
});

test("a file of a newer version or of another program is refused", async () => {
  const { log, directory } = await openTestLog();
  await log.close();
  const change = (sql: string): void => {
    const database = new DatabaseSync(join(directory, "gateway", "requests.sqlite"));
    database.exec(sql);
    database.close();
  };
  change("PRAGMA user_version = 9");
  await expect(openTestLog({ directory })).rejects.toThrow(/newer Echotop/);
  change("PRAGMA user_version = 1; PRAGMA application_id = 9");
  await expect(openTestLog({ directory })).rejects.toThrow(/another program/);
});

test("old records of every zone are removed, and others stay", async () => {
  const directory = temporaryDirectory();
  const { log } = await openTestLog({ directory });
  for (let n = 0; n < 700; n++) log.append(makeRecord(n, { zoneId: `z${n % 3}` }));
  await log.close();
  const now = (): Date => new Date(epochMs + 86_400_000 + 600_000);
  const { log: later } = await openTestLog({ directory, keepDays: 1, now });
  for (const zoneId of ["z0", "z1", "z2"]) {
    await eventually(async () => (await read(later, query({ zoneId }))).length).toBeLessThan(35);
    const left = await read(later, query({ zoneId }));
    expect(left.map(({ at }) => at >= epochMs + 600_000)).toEqual(
      Array.from({ length: left.length }, () => true),
    );
    expect(left.length).toBeGreaterThan(30);
  }
});

test("records that are removed before they are pushed are counted", async () => {
  const directory = temporaryDirectory();
  const refused = (): Promise<Response> => Promise.resolve(new Response(null, { status: 500 }));
  const pushed = {
    directory,
    keepDays: 1,
    fetch: refused,
    push: { url: "http://sink.example/", intervalMs: 1 },
  };
  const { log } = await openTestLog(pushed);
  for (let n = 0; n < 300; n++) log.append(makeRecord(n));
  await log.close();
  const { said } = await openTestLog({ ...pushed, now: () => new Date(epochMs + 2 * 86_400_000) });
  await eventually(() => said).toContain(
    "warn: 300 old request records of the gateway were removed before they were pushed.",
  );
});
