import { describe, expect, test } from "vitest";
import { blockAt, layOutTimeline, middleOf, pickAxisLabels, revisionAt, runsOf } from "./published-layout.ts";

function sequences(...list: readonly number[]): { sequence: number }[] {
  return list.map((sequence) => ({ sequence }));
}

function steady(count: number, first = 1): { sequence: number }[] {
  return Array.from({ length: count }, (_, index) => ({ sequence: first + index }));
}

describe("the timeline's layout", () => {
  test.each([2, 24, 131, 360])("gives %i revisions blocks of one width on whole pixels that fit", (count) => {
    const { slots, blockPx, pitchPx, endPx } = layOutTimeline(steady(count), 900);
    expect(slots).toHaveLength(count);
    expect(slots.every((slot) => Number.isInteger(slot.xPx))).toBe(true);
    expect(blockPx).toBeGreaterThanOrEqual(1);
    expect(pitchPx).toBeGreaterThan(blockPx);
    expect(endPx).toBeLessThanOrEqual(900);
  });

  test("does not stretch a few blocks over the whole width", () => {
    expect(layOutTimeline(steady(2), 900).endPx).toBeLessThan(120);
  });

  test("still draws when there is less than a pixel a revision, and when there is nothing", () => {
    const crowded = layOutTimeline(steady(360), 100);
    expect(crowded.endPx).toBeLessThanOrEqual(100);
    expect(crowded.blockPx).toBeGreaterThan(0);
    expect(layOutTimeline([], 900)).toMatchObject({ slots: [], gaps: [] });
    expect(revisionAt(layOutTimeline([], 900), 5)).toBeUndefined();
  });

  test("draws missing sequences as one gap with their number", () => {
    const { gaps, slots, pitchPx } = layOutTimeline(sequences(1, 2, 40, 41), 900);
    expect(gaps.map((gap) => gap.missing)).toEqual([37]);
    expect(slots[2]!.xPx - slots[1]!.xPx).toBe(2 * pitchPx);
    expect(gaps[0]!.xPx).toBeGreaterThan(slots[1]!.xPx);
    expect(gaps[0]!.xPx).toBeLessThan(slots[2]!.xPx);
  });

  test("finds the revision nearest to a place, beyond both ends too", () => {
    const geometry = layOutTimeline(steady(24), 900);
    for (const index of [0, 7, 23]) expect(revisionAt(geometry, middleOf(geometry, index))).toBe(index);
    expect(revisionAt(geometry, -50)).toBe(0);
    expect(revisionAt(geometry, 5000)).toBe(23);
  });

  test("finds a block only on it or a few pixels beside it, and every place between two neighbors", () => {
    const geometry = layOutTimeline(steady(3), 900);
    expect(blockAt(geometry, geometry.endPx + 3)).toBe(2);
    expect(blockAt(geometry, geometry.endPx + 5)).toBeUndefined();
    expect(blockAt(geometry, 700)).toBeUndefined();
    for (let xPx = 0; xPx < geometry.endPx; xPx += 1) expect(blockAt(geometry, xPx)).toBeDefined();
    const broken = layOutTimeline(sequences(1, 2, 40), 900);
    expect(blockAt(broken, broken.gaps[0]!.xPx)).toBeUndefined();
    expect(blockAt(layOutTimeline([], 900), 5)).toBeUndefined();
  });
});

describe("the timeline's labels", () => {
  test.each([2, 24, 131, 360])("of %i revisions keep their distance with any one selected", (count) => {
    const revisions = steady(count, 845);
    const geometry = layOutTimeline(revisions, 900);
    for (let selected = 0; selected < count; selected += 1) {
      const picked = pickAxisLabels(revisions, geometry, { labelPx: 44, selected });
      expect(picked).toContain(selected);
      if (geometry.slots[selected]!.xPx >= 44) expect(picked).toContain(0);
      for (let place = 1; place < picked.length; place += 1) {
        const distancePx = geometry.slots[picked[place]!]!.xPx - geometry.slots[picked[place - 1]!]!.xPx;
        expect(distancePx).toBeGreaterThanOrEqual(44);
      }
    }
  });

  test("have an even step from the first, which only the selected one interrupts", () => {
    const revisions = steady(8);
    const geometry = layOutTimeline(revisions, 8 * 30);
    const labels = (selected: number | undefined): number[] =>
      pickAxisLabels(revisions, geometry, { labelPx: 44, selected }).map(
        (index) => revisions[index]!.sequence,
      );
    expect(labels(undefined)).toEqual([1, 3, 5, 7]);
    expect(labels(4)).toEqual([1, 3, 5, 7]);
    expect(labels(7)).toEqual([1, 3, 5, 8]);
    expect(labels(3)).toEqual([1, 4, 7]);
  });

  test("are none without revisions", () => {
    expect(pickAxisLabels([], layOutTimeline([], 900), { labelPx: 44, selected: undefined })).toEqual([]);
  });
});

describe("runs", () => {
  test("join neighbors and end at a gap", () => {
    const geometry = layOutTimeline(steady(6), 900);
    const runs = runsOf(geometry, (index) => index !== 2 && index !== 5);
    expect(runs).toEqual([
      { xPx: geometry.slots[0]!.xPx, widthPx: geometry.pitchPx + geometry.blockPx },
      { xPx: geometry.slots[3]!.xPx, widthPx: geometry.pitchPx + geometry.blockPx },
    ]);
    expect(runsOf(geometry, () => false)).toEqual([]);
  });
});
