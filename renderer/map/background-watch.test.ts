import { describe, expect, test } from "vitest";
import { basemapRetryMs } from "../platform/viewer-limits.ts";
import { BackgroundWatch } from "./background-watch.ts";

function watch(): {
  readonly background: BackgroundWatch;
  readonly loads: string[];
  readonly changes: boolean[];
  readonly delaysMs: number[];
  /** Runs everything scheduled and not canceled. */
  readonly runAll: () => void;
} {
  const loads: string[] = [];
  const changes: boolean[] = [];
  const delaysMs: number[] = [];
  let scheduled: (() => void)[] = [];
  const background = new BackgroundWatch({
    load: (part) => loads.push(part),
    schedule: (delayMs, run) => {
      delaysMs.push(delayMs);
      scheduled.push(run);
      return () => {
        scheduled = scheduled.filter((other) => other !== run);
      };
    },
    onChange: (isWhole) => changes.push(isWhole),
  });
  const runAll = (): void => {
    const due = scheduled;
    scheduled = [];
    for (const run of due) run();
  };
  return { background, loads, changes, delaysMs, runAll };
}

describe("the background's watch", () => {
  test("retries a failed part, and reports when the background is whole again", () => {
    const { background, loads, changes, runAll } = watch();
    background.failed("counties");
    expect(changes).toEqual([false]);
    runAll();
    expect(loads).toEqual(["counties"]);
    background.loaded("counties");
    expect(changes).toEqual([false, true]);
    runAll();
    expect(loads).toEqual(["counties"]);
  });

  test("is whole only when no part is missing", () => {
    const { background, changes } = watch();
    background.failed("counties");
    background.failed("places");
    background.loaded("counties");
    expect(changes).toEqual([false]);
    background.loaded("places");
    expect(changes).toEqual([false, true]);
  });

  test("waits longer after each failure, up to a limit, and starts over after a success", () => {
    const { background, delaysMs } = watch();
    for (let attempt = 0; attempt < 6; attempt += 1) background.failed("land");
    expect(delaysMs).toEqual([2_000, 4_000, 8_000, 16_000, basemapRetryMs.longest, basemapRetryMs.longest]);
    background.loaded("land");
    background.failed("land");
    expect(delaysMs.at(-1)).toBe(basemapRetryMs.first);
  });

  test("reports nothing for a part that was never missing", () => {
    const { background, changes } = watch();
    background.loaded("land");
    expect(changes).toEqual([]);
  });

  test("requests nothing after it is closed", () => {
    const { background, loads, runAll } = watch();
    background.failed("land");
    background.close();
    runAll();
    expect(loads).toEqual([]);
  });
});
