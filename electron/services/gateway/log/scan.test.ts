// A scan of many records does not block others, and ends.
import { expect, test } from "vitest";
import type { Stretch } from "./record-store.ts";
import { scan, type ScanOptions } from "./scan.ts";

/** Endless records, a hundred at each instant. */
const endless = {
  findEnd: ({ from }: Stretch, count: number) => ({ at: from.at + count / 100, seq: from.seq + count }),
};

const options: ScanOptions = {
  ...{ zone: "z1", scope: "all", order: "asc" },
  ...{ sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER },
};

async function scanAll(rest: Partial<ScanOptions>): Promise<number> {
  let stretches = 0;
  for await (const { from } of scan(endless, { ...options, ...rest })) {
    if (from.seq >= 0) stretches += 1;
  }
  return stretches;
}

test("a scan of too many records ends with a sentence for the caller", async () => {
  await expect(scanAll({ maxMs: 30 })).rejects.toThrow("ask for a shorter time");
});

test("a canceled scan ends with the signal's reason, and other work runs meanwhile", async () => {
  const leaving = new AbortController();
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
    if (turns === 5) leaving.abort(new Error("The client went away."));
  }, 1);
  await expect(scanAll({ signal: leaving.signal })).rejects.toThrow("The client went away.");
  clearInterval(timer);
  expect(turns).toBe(5);
});

test("the longer the patterns, the fewer records are read at once", async () => {
  const lengthOf = async (patternLength: number): Promise<number> => {
    for await (const { to } of scan(endless, { ...options, patternLength })) return to.seq;
    return 0;
  };
  expect(await Promise.all([0, 2, 20, 1_000, 1_000_000].map(lengthOf))).toEqual([4_000, 4_000, 400, 8, 1]);
});
