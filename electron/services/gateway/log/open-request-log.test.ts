// The log from appending to reading: queries find exactly the matching records, and a restart changes nothing.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import { GatewayReport } from "../../../../shared/contract/briefings.ts";
import type { Position } from "./record-table.ts";
import type { RequestLog } from "./open-request-log.ts";
import type { RecordQuery } from "./read-records.ts";
import type { RequestRecord } from "./request-record.ts";
import {
  epochMs,
  eventually,
  idsOf,
  makeRecord,
  makeRedirect,
  openTestLog,
  temporaryDirectory,
} from "../support/sample-records.ts";

const query = (rest: Partial<RecordQuery> = {}): RecordQuery => ({
  ...{ zoneId: "z1", limit: 1_000, order: "asc" },
  ...rest,
});

async function read(log: RequestLog, asked: RecordQuery): Promise<readonly RequestRecord[]> {
  return (await log.page(asked)).records;
}

test("a query sees records appended right before it, unchanged", async () => {
  const { log } = await openTestLog();
  const records = [makeRecord(1), makeRedirect(2), makeRecord(3, { zoneId: "z2" })];
  for (const record of records) log.append(record);
  expect(await read(log, query())).toEqual(records.slice(0, 2));
  expect(await read(log, query({ order: "desc", limit: 1 }))).toEqual([records[1]]);
  expect(await read(log, query({ zoneId: "z3" }))).toEqual([]);
});

test("records that are written together are read unchanged, in the order of writing", async () => {
  const { log } = await openTestLog();
  const records = Array.from({ length: 333 }, (_, n) => (n % 3 === 0 ? makeRedirect(n) : makeRecord(n)));
  for (const record of records) log.append(record);
  expect(await read(log, query())).toEqual(records);
});

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

test("any filter finds the same records as the same filter in memory, page by page", async () => {
  const { log } = await openTestLog();
  const hosts = ["brief.example", "docs.brief.example"];
  const targets = ["https://brief.example/e/1", "https://brief.example/E/1", "https://brief.example/e/%_"];
  const arbitrary = fc.record({
    second: fc.integer({ min: 0, max: 40 }),
    host: fc.constantFrom(...hosts),
    target: fc.constantFrom(null, ...targets),
    category: fc.constantFrom(null, "AI Crawler", "Search Engine"),
  });
  const drafts = fc.sample(arbitrary, { numRuns: 400, seed: 1 });
  const records = drafts.map(({ second, host, target, category }, n): RequestRecord => ({
    ...makeRecord(second, { host, redirectsForAiTrainingTarget: target, verifiedBotCategory: category }),
    id: `r${n}`,
  }));
  for (const record of records) log.append(record);
  const second = fc.option(fc.integer({ min: -2, max: 42 }), { nil: undefined });
  const at = (n: number | undefined) => (n === undefined ? n : new Date(epochMs + n * 1_000).toISOString());
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        ...{ since: second.map(at), until: second.map(at) },
        host: fc.constantFrom(undefined, ...hosts),
        category: fc.constantFrom(undefined, "AI Crawler", "Other"),
        targetPrefix: fc.constantFrom(undefined, "", "https://brief.example/e", "https://brief.example/e/%"),
        ...{ limit: fc.integer({ min: 1, max: 60 }), order: fc.constantFrom("asc", "desc") },
      }),
      async (asked) => {
        const expected = expectedOf(records, { ...asked, zoneId: "z1" });
        const found: string[] = [];
        let after: Position | undefined;
        do {
          const page = await log.page({ ...asked, zoneId: "z1", after });
          expect(page.records.length).toBeLessThanOrEqual(asked.limit);
          found.push(...idsOf(page.records));
          after = page.next;
        } while (after !== undefined);
        expect(found).toEqual(expected);
      },
    ),
    { seed: 2, numRuns: 150 },
  );
});

function expectedOf(records: readonly RequestRecord[], asked: RecordQuery): string[] {
  const { since, until, host, category, targetPrefix } = asked;
  const found = records
    .filter(({ at }) => since === undefined || at >= Date.parse(since))
    .filter(({ at }) => until === undefined || at < Date.parse(until))
    .filter((record) => host === undefined || record.host === host)
    .filter((record) => category === undefined || record.verifiedBotCategory === category)
    .filter(({ redirectsForAiTrainingTarget: target }) =>
      targetPrefix === undefined ? true : target?.startsWith(targetPrefix),
    )
    .toSorted((a, b) => a.at - b.at);
  return idsOf(asked.order === "asc" ? found : found.toReversed());
}

test("records of more than one stretch are all found, counted and reported", async () => {
  const { log } = await openTestLog();
  const target = "https://brief.example/e/1";
  for (let n = 0; n < 9_000; n++) {
    // Many at the same instant, and not in order.
    const second = (n * 7) % 1_000;
    log.append({
      ...(n % 3 === 0 ? makeRedirect(second, { path: "/r/1" }) : makeRecord(second)),
      id: `r${n}`,
    });
  }
  const found = await read(log, query({ limit: 10_000, order: "desc" }));
  expect(new Set(idsOf(found)).size).toBe(9_000);
  expect((await read(log, query({ targetPrefix: target, limit: 10_000 }))).length).toBe(3_000);
  const groups = await log.groups({ zoneId: "z1", where: { kind: "all", of: [] }, by: ["status", "target"] });
  expect(groups.map(({ values, count }) => [...values, count]).sort()).toEqual([
    [200, null, 6_000],
    [301, target, 3_000],
  ]);
  const report = await log.report({ zoneId: "z1", hours: 2 });
  expect(GatewayReport.parse(report)).toEqual({
    requests: 9_000,
    redirects: 3_000,
    rows: [
      {
        ...{ crawler: "TrainBot", path: "/r/1", target, count: 3_000 },
        lastAt: new Date(epochMs + 999_000).toISOString(),
      },
    ],
    reasons: [{ reason: "redirected", count: 3_000 }],
  });
});

test("a report covers only its hours, and says why training crawlers were not redirected", async () => {
  const { log } = await openTestLog();
  const loop = { reason: "loop", redirectsForAiTrainingTarget: null, status: 200 } as const;
  const others = { reason: "bot_category", verifiedBotCategory: "AI Search" } as const;
  log.append(makeRedirect(-4_000));
  for (const n of [1, 2]) log.append(makeRedirect(n, loop));
  log.append(makeRedirect(3, { verifiedBotName: null }));
  log.append(makeRecord(4, others));
  const report = await log.report({ zoneId: "z1", hours: 1 });
  expect(report).toMatchObject({ requests: 4, redirects: 1, rows: [{ crawler: null, path: "/r/3" }] });
  expect(report.reasons).toEqual([
    { reason: "loop", count: 2 },
    { reason: "redirected", count: 1 },
  ]);
  expect(await log.report({ zoneId: "z2", hours: 1 })).toEqual({
    ...{ requests: 0, redirects: 0, rows: [], reasons: [] },
  });
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

test("texts that a client makes very long are cut", async () => {
  const { log } = await openTestLog();
  const path = `/${"p".repeat(20_000)}`;
  log.append(makeRecord(1, { path, userAgent: `${"u".repeat(1_023)}😀${"u".repeat(9_000)}` }));
  const [record] = await read(log, query());
  expect(record!.path).toBe(path.slice(0, 4_096));
  expect(record!.userAgent).toBe(`${"u".repeat(1_023)}\uFFFD`);
});
