import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { windowMs } from "../../../shared/revisions/observation-window.ts";
import type { Revision } from "../timeline/revisions.ts";
import { findLocked, toLagMs, type Locked } from "./lock.ts";

const startMs = Date.parse("2022-07-04T11:00:00Z");

/** A revision of the window with this number, some seconds into it. */
function revise(sequence: number, window: number, seconds = 39): Revision {
  const observedMs = startMs + window * windowMs + seconds * 1000;
  return {
    sequence,
    revisionId: `r${sequence}`,
    observedAt: new Date(observedMs).toISOString(),
    observedMs,
    window: Math.floor(observedMs / windowMs),
    change: undefined,
    layers: [],
  };
}

function sequenceOf(locked: Locked): number | undefined {
  return locked.kind === "shown" ? locked.revision.sequence : undefined;
}

const first = revise(1, 0).window;

describe("panes locked by observed time", () => {
  // Windows 0, 1 and 4; window 1 was corrected.
  const revisions = [revise(1, 0), revise(2, 1), revise(3, 4), revise(4, 1)];
  const follower = { revisions, onset: undefined };
  const lock = (window: number, seconds?: number): Locked =>
    findLocked("observed", { revision: revise(9, window, seconds), onset: undefined }, follower);

  test("show the same window, at its newest revision", () => {
    expect(sequenceOf(lock(0, 5))).toBe(1);
    expect(sequenceOf(lock(1, 59))).toBe(4);
  });

  test("show the nearest window before where there is none, and tell the gap", () => {
    const locked = lock(3);
    expect(sequenceOf(locked)).toBe(4);
    const lead = { revision: revise(9, 3), onset: undefined };
    expect(toLagMs("observed", lead, revisions[3]!, undefined)).toBe(2 * windowMs);
    expect(toLagMs("observed", lead, revise(5, 3, 2), undefined)).toBe(0);
  });

  test("have nothing before the first window, nor long after the last", () => {
    expect(lock(-1)).toEqual({ kind: "begins", at: revisions[0] });
    expect(sequenceOf(lock(7))).toBe(3);
    expect(lock(8)).toEqual({ kind: "ends", at: revisions[2] });
    expect(
      findLocked("observed", { revision: revise(1, 0), onset: undefined }, { ...follower, revisions: [] }),
    ).toEqual({ kind: "empty" });
  });
});

test("panes locked by sequence show the same number or nothing", () => {
  const follower = { revisions: [revise(3, 0), revise(4, 1)], onset: undefined };
  const lock = (sequence: number): Locked =>
    findLocked("sequence", { revision: revise(sequence, 9), onset: undefined }, follower);
  expect(sequenceOf(lock(4))).toBe(4);
  expect(lock(5)).toEqual({ kind: "no-such-sequence", sequence: 5, last: 4 });
  expect(lock(2)).toEqual({ kind: "no-such-sequence", sequence: 2, last: 4 });
});

describe("panes locked by time since onset", () => {
  test("show as many windows after their own onset, whatever the seconds", () => {
    const revisions = [0, 1, 2, 3].map((window) => revise(window + 1, window, 58));
    const lead = { revision: revise(9, 700, 1), onset: first + 699 };
    const locked = findLocked("onset", lead, { revisions, onset: first + 2 });
    expect(sequenceOf(locked)).toBe(4);
    expect(toLagMs("onset", lead, revisions[1]!, first + 2)).toBe(2 * windowMs);
  });

  test("show nothing without an onset in both", () => {
    const revisions = [revise(1, 0)];
    const lead = { revision: revise(9, 0), onset: undefined };
    expect(findLocked("onset", lead, { revisions, onset: first })).toEqual({ kind: "no-onset" });
    expect(findLocked("onset", { ...lead, onset: first }, { revisions, onset: undefined })).toEqual({
      kind: "no-onset",
    });
  });
});

test("a pane never shows a window after the lead's, and a pane of the same event shows the lead's", () => {
  const windows = fc.array(fc.nat(60), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(windows, fc.nat(60), fc.nat(39), (list, window, pick) => {
      const revisions = list.map((own, index) => revise(index + 1, own));
      const follower = { revisions, onset: undefined };
      const locked = findLocked("observed", { revision: revise(99, window), onset: undefined }, follower);
      if (locked.kind === "shown") expect(locked.revision.window).toBeLessThanOrEqual(first + window);
      const own = revisions[pick % revisions.length]!;
      const same = findLocked("observed", { revision: own, onset: undefined }, follower);
      expect(same.kind === "shown" && same.revision.window).toBe(own.window);
    }),
  );
});
