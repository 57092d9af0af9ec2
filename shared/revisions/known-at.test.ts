import { describe, expect, test } from "vitest";
import { byWindow, knownAt, newestOfWindows, newestUpTo } from "./known-at.ts";
import { observationWindow, windowMs } from "./observation-window.ts";

interface Row {
  readonly sequence: number;
  readonly observedAt: string;
}

/** A history of up to 60 revisions with gaps in its sequence, corrections and backfills, the same for a seed. */
function historyOf(seed: number): Row[] {
  let state = seed + 1;
  const below = (limit: number): number => {
    state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647;
    return state % limit;
  };
  let sequence = below(3);
  return Array.from({ length: below(60) }, () => {
    sequence += 1 + below(2);
    const observedMs = Date.UTC(2026, 4, 20, 21) + below(20) * windowMs + below(windowMs);
    return { sequence, observedAt: new Date(observedMs).toISOString() };
  });
}

/** The answer by the definition: each window's rows up to the sequence, the highest of them. */
function naive(rows: readonly Row[], sequence: number): Row[] {
  const windows = [...new Set(rows.map((row) => observationWindow(row.observedAt)))].sort((a, b) => a - b);
  return windows.flatMap((window) => {
    const known = rows.filter(
      (row) => row.sequence <= sequence && observationWindow(row.observedAt) === window,
    );
    return known.toSorted((a, b) => b.sequence - a.sequence).slice(0, 1);
  });
}

describe("known at a sequence", () => {
  test("is each window's highest revision up to it, and never a later one, for any history", () => {
    let compared = 0;
    for (let seed = 0; seed < 200; seed += 1) {
      const rows = historyOf(seed);
      const newest = rows.at(-1)?.sequence ?? 0;
      for (let sequence = 0; sequence <= newest + 1; sequence += 1) {
        const known = knownAt(rows, sequence);
        expect(byWindow(known)).toEqual(naive(rows, sequence));
        expect(known.every((row) => row.sequence <= sequence)).toBe(true);
        expect(newestUpTo(rows, sequence)).toBe(known.at(-1));
        compared += known.length;
      }
      expect(knownAt(rows, newest)).toBe(rows);
    }
    expect(compared).toBeGreaterThan(10_000);
  });

  test("is everything now, the same list", () => {
    const rows = historyOf(5);
    expect(knownAt(rows, undefined)).toBe(rows);
    expect([...newestOfWindows(rows).values()].every((row) => rows.includes(row))).toBe(true);
  });
});
