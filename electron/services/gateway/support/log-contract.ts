// Tests for the request log of every engine: queries find exactly the matching records.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GatewayReport } from "../../../../shared/contract/briefings.ts";
import type { Condition } from "../log/conditions.ts";
import type { Position } from "../log/record-store.ts";
import type { RecordQuery } from "../log/read-records.ts";
import type { RequestLog } from "../log/request-log.ts";
import type { RequestRecord } from "../log/request-record.ts";
import { epochMs, idsOf, makeRecord, makeRedirect } from "./sample-records.ts";

export const query = (rest: Partial<RecordQuery> = {}): RecordQuery => ({
  ...{ zoneId: "z1", limit: 1_000, order: "asc" },
  ...rest,
});

export async function read(log: RequestLog, asked: RecordQuery): Promise<readonly RequestRecord[]> {
  return (await log.page(asked)).records;
}

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

/** `open` opens a log of the running test, without records, an hour after `epochMs`. */
export function logContract(name: string, open: () => Promise<RequestLog>): void {
  describe(`the request log: ${name}`, () => {
    test("a query sees records appended right before it, unchanged", async () => {
      const log = await open();
      const records = [makeRecord(1), makeRedirect(2), makeRecord(3, { zoneId: "z2" })];
      for (const record of records) log.append(record);
      expect(await read(log, query())).toEqual(records.slice(0, 2));
      expect(await read(log, query({ order: "desc", limit: 1 }))).toEqual([records[1]]);
      expect(await read(log, query({ zoneId: "z3" }))).toEqual([]);
    });

    test("records that are written together are read unchanged, in the order of writing", async () => {
      const log = await open();
      const records = Array.from({ length: 333 }, (_, n) => (n % 3 === 0 ? makeRedirect(n) : makeRecord(n)));
      for (const record of records) log.append(record);
      expect(await read(log, query())).toEqual(records);
    });

    test("any filter finds the same records as the same filter in memory, page by page", async () => {
      const log = await open();
      const hosts = ["brief.example", "docs.brief.example"];
      const targets = [
        "https://brief.example/e/1",
        "https://brief.example/E/1",
        "https://brief.example/e/%_",
      ];
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
      const at = (n: number | undefined) =>
        n === undefined ? n : new Date(epochMs + n * 1_000).toISOString();
      await fc.assert(
        fc.asyncProperty(
          fc.record({
            ...{ since: second.map(at), until: second.map(at) },
            host: fc.constantFrom(undefined, ...hosts),
            category: fc.constantFrom(undefined, "AI Crawler", "Other"),
            targetPrefix: fc.constantFrom(
              undefined,
              "",
              "https://brief.example/e",
              "https://brief.example/e/%",
            ),
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

    test("records of more than one stretch are all found, counted and reported", async () => {
      const log = await open();
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
      const groups = await log.groups({
        zoneId: "z1",
        where: { kind: "all", of: [] },
        by: ["status", "target"],
      });
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
      const log = await open();
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

    test("texts that a client makes very long are cut", async () => {
      const log = await open();
      const path = `/${"p".repeat(20_000)}`;
      log.append(makeRecord(1, { path, userAgent: `${"u".repeat(1_023)}😀${"u".repeat(9_000)}` }));
      const [record] = await read(log, query());
      expect(record!.path).toBe(path.slice(0, 4_096));
      expect(record!.userAgent).toBe(`${"u".repeat(1_023)}\uFFFD`);
    });

    test("any condition counts the same records as in memory", async () => {
      const log = await open();
      const records = Array.from({ length: 300 }, (_, n) => {
        const path = ["/r/1", "/R/1", "/r/10", "/r/%", "/r\\", "/é"][n % 6]!;
        const target = [null, "/e/1", "/e/_"][n % 3]!;
        const status = [200, 301, 404][n % 3]!;
        return makeRecord(n * 7, { id: `r${n}`, path, status, redirectsForAiTrainingTarget: target });
      });
      for (const record of records) log.append(record);
      await fc.assert(
        fc.asyncProperty(conditions, async (where) => {
          const groups = await log.groups({ zoneId: "z1", where, by: ["path", "hour"] });
          const expected = new Map<string, number>();
          for (const record of records.filter((each) => holds(where, each))) {
            const key = JSON.stringify([record.path, record.at - (record.at % 3_600_000)]);
            expected.set(key, (expected.get(key) ?? 0) + 1);
          }
          expect(new Map(groups.map(({ values, count }) => [JSON.stringify(values), count]))).toEqual(
            expected,
          );
        }),
        { seed: 3, numRuns: 150 },
      );
    });
  });
}

const texts = fc.constantFrom("", "/r/1", "/R/", "/e/1", "é", "/r\\", "\0", "z");
const patterns = fc.constantFrom(
  "",
  "%",
  "/r/%",
  "/_/1",
  "/r/\\%",
  "/r\\\\",
  "/r\\",
  "%\\",
  "/e/\\_",
  "\0%",
  "/é",
);
const textColumns = fc.constantFrom("path" as const, "target" as const);
const numbers = fc.constantFrom(200, 301, 302, 2_147_483_647, -1);
const comparisons = fc.constantFrom("eq" as const, "neq", "lt", "leq", "gt", "geq");

const { tree: conditions } = fc.letrec<{ tree: Condition }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.record({ kind: comparisons, column: textColumns, value: texts }),
    fc.record({ kind: comparisons, column: fc.constant("status" as const), value: numbers }),
    fc.record({
      kind: comparisons,
      column: fc.constantFrom("at" as const, "minute" as const),
      value: fc.integer({ min: 0, max: 40 }).map((minutes) => epochMs + minutes * 60_000),
    }),
    fc.record({ kind: fc.constantFrom("like" as const, "notlike"), column: textColumns, pattern: patterns }),
    fc.record({
      kind: fc.constantFrom("in" as const, "notin"),
      column: textColumns,
      values: fc.array(texts, { maxLength: 3 }),
    }),
    fc.record({ kind: fc.constantFrom("all" as const, "any"), of: fc.array(tie("tree"), { maxLength: 3 }) }),
  ),
}));

/** Evaluates a condition in memory. */
function holds(condition: Condition, record: RequestRecord): boolean {
  if ("of" in condition) {
    const { of, kind } = condition;
    return kind === "all" ? of.every((part) => holds(part, record)) : of.some((part) => holds(part, record));
  }
  const { path, redirectsForAiTrainingTarget: target, at, status } = record;
  const values = { path, target, status, at, minute: at - (at % 60_000) } as Record<
    string,
    string | number | null
  >;
  const stored = values[condition.column] ?? null;
  const value = stored ?? "";
  switch (condition.kind) {
    case "like":
      return stored !== null && isLike(String(value), condition.pattern);
    case "notlike":
      return !isLike(String(value), condition.pattern);
    case "in":
      return condition.values.includes(value);
    case "notin":
      return !condition.values.includes(value);
    case "prefix":
      return String(value).startsWith(condition.text);
    case "eq":
      return value === condition.value;
    case "neq":
      return value !== condition.value;
    case "lt":
      return value < condition.value;
    case "leq":
      return value <= condition.value;
    case "gt":
      return value > condition.value;
    case "geq":
      return value >= condition.value;
  }
}

function isLike(text: string, pattern: string): boolean {
  const parts = pattern.match(/\\.|[^]/gu) ?? [];
  if (parts.at(-1) === "\\") return false;
  const escaped = (literal: string): string => literal.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const source = parts.map((part) => {
    if (part === "%") return "[^]*";
    return part === "_" ? "[^]" : escaped(part.length > 1 && part.startsWith("\\") ? part.slice(1) : part);
  });
  return new RegExp(`^${source.join("")}$`, "u").test(text);
}
