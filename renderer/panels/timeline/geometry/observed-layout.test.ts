import { describe, expect, test } from "vitest";
import { windowMs } from "../../../../shared/revisions/observation-window.ts";
import type { Revision } from "../../../state/timeline/revisions.ts";
import { exampleStore, type ExampleFrame } from "../../../support/example-data.ts";
import { layOutObserved, pickWindowLabels, type ObservedGeometry } from "./observed-layout.ts";
import { publicationAt, toHandlePx } from "./publication-axis.ts";
import { toWhole } from "./timeline-part.ts";

const minuteMs = 60_000;

function revisionsOf(frames: readonly ExampleFrame[]): readonly Revision[] {
  return exampleStore(frames).getState().history.all;
}

/** Windows at 0, 2 and 6 min; revision 4 corrects the second. */
const gapped: readonly ExampleFrame[] = [
  { sequence: 1, minute: 0 },
  { sequence: 2, minute: 2 },
  { sequence: 3, minute: 6 },
  { sequence: 4, minute: 2, variant: "b" },
];

function layOut(
  revisions: readonly Revision[],
  delaysMinutes: readonly (number | undefined)[],
): ObservedGeometry {
  const publishedMs = revisions.map(({ observedMs }, index) => {
    const delay = delaysMinutes[index];
    return delay === undefined ? undefined : observedMs + delay * minuteMs;
  });
  return layOutObserved({ revisions, publishedMs, part: toWhole(revisions, "observed"), widthPx: 900 });
}

describe("the order of observation", () => {
  test("has a column per window with all its revisions, and a gap for a window that never came", () => {
    const { columns, gaps, pitchPx } = layOut(revisionsOf(gapped), [2, 2, 2, 9]);
    expect(columns.map(({ indices }) => indices)).toEqual([[0], [1, 3], [2]]);
    expect(gaps).toHaveLength(1);
    expect(columns[2]!.xPx - columns[0]!.xPx).toBeCloseTo(3 * pitchPx, 0);
    expect(gaps[0]!.xPx).toBeGreaterThan(columns[1]!.xPx);
    expect(gaps[0]!.xPx).toBeLessThan(columns[2]!.xPx);
  });

  test("has the room of an hour for a few windows", () => {
    const { pitchPx } = layOut(revisionsOf(gapped), [2, 2, 2, 9]);
    expect(pitchPx * 30).toBeGreaterThan(850);
    expect(pitchPx * 30).toBeLessThanOrEqual(900);
  });

  test("places publications at their own times on the same axis", () => {
    const { axis, columns, spacing, blockPx, pitchPx } = layOut(revisionsOf(gapped), [2, 2, 2, 9]);
    expect(spacing).toBe("time");
    const middlePx = columns[0]!.xPx + blockPx / 2;
    const perMinute = pitchPx / (windowMs / minuteMs);
    expect(axis.ticks.map(({ xPx }) => Math.round((xPx - middlePx) / perMinute))).toEqual([2, 4, 8, 11]);
    expect(axis.nowPx).toBeCloseTo(axis.ticks[3]!.xPx + pitchPx);
  });

  test.each([
    ["are unknown", [2, undefined, 2, 9]],
    ["lie long after the observations", [5_000, 5_000, 5_000, 5_000]],
  ])("spaces publications by sequence if their times %s", (_, delays) => {
    const { axis, spacing } = layOut(revisionsOf(gapped), delays);
    expect(spacing).toBe("sequence");
    const steps = axis.ticks.slice(1).map(({ xPx }, index) => xPx - axis.ticks[index]!.xPx);
    expect(new Set(steps).size).toBe(1);
  });

  test("labels round times, apart enough to be read", () => {
    const geometry = layOut(revisionsOf(gapped), [2, 2, 2, 9]);
    expect(
      pickWindowLabels(geometry, 56).map((window) => new Date(window * windowMs).getUTCMinutes()),
    ).toEqual([0, 4]);
  });
});

describe("the handle", () => {
  const { axis } = layOut(revisionsOf(gapped), [2, 2, 2, 9]);

  test("stands at the last publication known, and at now when all are", () => {
    expect(toHandlePx(axis, 2, 4)).toBe(axis.ticks[1]!.xPx);
    expect(toHandlePx(axis, 4, 4)).toBe(axis.nowPx);
    expect(toHandlePx({ ...axis, nowPx: undefined }, 4, 4)).toBe(axis.widthPx);
  });

  test("is dragged to the nearest publication, or to now", () => {
    expect(publicationAt(axis, -50, 4)).toBe(0);
    expect(publicationAt(axis, axis.ticks[2]!.xPx + 3, 4)).toBe(2);
    expect(publicationAt(axis, 899, 4)).toBe(4);
    expect(publicationAt({ ...axis, nowPx: undefined }, 899, 4)).toBe(3);
  });
});
