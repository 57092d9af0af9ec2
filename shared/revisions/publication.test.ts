import { describe, expect, test } from "vitest";
import type { MrmsLayer } from "../contract/manifest.ts";
import type { ProductId } from "../contract/primitives.ts";
import { findPinnedFrame, toPublications } from "./publication.ts";

const layer = (id: ProductId, observedAt: string, image: string): MrmsLayer => ({
  bounds: [-100, 30, -90, 40],
  caveat: "",
  description: "",
  id,
  imageUrl: `/v1/storm-events/e/frames/${id}/${image}.png`,
  label: id,
  legend: [],
  observedAt,
  opacity: 1,
  sourceUrl: "ni:///sha-256;x",
  unit: "",
  visible: true,
});

const at = (minute: number, second = 0): string =>
  `2024-05-20T21:${String(minute).padStart(2, "0")}:${String(second).padStart(2, "0")}Z`;

const frame = (sequence: number, minute: number, images: Partial<Record<ProductId, string>>) => ({
  sequence,
  observedAt: at(minute, 40),
  layers: Object.entries(images).map(([id, image]) => layer(id as ProductId, at(minute, 40), image)),
});

describe("toPublications", () => {
  test("windows published in order of observation are new and not late", () => {
    const publications = toPublications([
      frame(1, 0, { "mrms-mesh": "a" }),
      frame(2, 2, { "mrms-mesh": "b" }),
    ]);
    expect(publications).toEqual([
      { kind: "new", late: false, supersedes: undefined },
      { kind: "new", late: false, supersedes: undefined },
    ]);
  });

  test("a replaced layer of an older window is a late correction that points back", () => {
    const publications = toPublications([
      frame(1, 0, { "mrms-mesh": "a" }),
      frame(2, 2, { "mrms-mesh": "b" }),
      frame(3, 0, { "mrms-mesh": "c" }),
    ]);
    expect(publications[2]).toEqual({ kind: "correction", late: true, supersedes: 0 });
  });

  test("a second correction points to the first one", () => {
    const publications = toPublications([
      frame(1, 0, { "mrms-mesh": "a" }),
      frame(2, 0, { "mrms-mesh": "b" }),
      frame(3, 0, { "mrms-mesh": "c" }),
    ]);
    expect(publications[2]?.supersedes).toBe(1);
  });

  test("the second product of a window is a completion, late only after newer windows", () => {
    const both = { "mrms-mesh": "m", "mrms-reflectivity": "r" } as const;
    const prompt = toPublications([frame(1, 0, { "mrms-mesh": "m" }), frame(2, 0, both)]);
    expect(prompt[1]).toEqual({ kind: "completion", late: false, supersedes: 0 });
    const late = toPublications([
      frame(1, 0, { "mrms-mesh": "m" }),
      frame(2, 2, { "mrms-mesh": "n" }),
      frame(3, 0, both),
    ]);
    expect(late[2]).toEqual({ kind: "completion", late: true, supersedes: 0 });
  });

  test("a window first published after newer ones is a backfill", () => {
    const publications = toPublications([
      frame(1, 2, { "mrms-mesh": "b" }),
      frame(2, 6, { "mrms-mesh": "c" }),
      frame(3, 4, { "mrms-mesh": "d" }),
    ]);
    expect(publications[2]).toEqual({ kind: "backfill", late: true, supersedes: undefined });
  });

  test("an old window is unknown if the history starts after the first revision", () => {
    const publications = toPublications([
      frame(40, 30, { "mrms-mesh": "b" }),
      frame(41, 2, { "mrms-mesh": "c" }),
    ]);
    expect(publications[1]?.kind).toBe("unknown");
  });
});

describe("findPinnedFrame", () => {
  test("is undefined without frames", () => {
    expect(findPinnedFrame([])).toBeUndefined();
  });

  test("stays on the newest window when an older one is corrected", () => {
    const frames = [
      frame(1, 0, { "mrms-mesh": "a" }),
      frame(2, 2, { "mrms-mesh": "b" }),
      frame(3, 0, { "mrms-mesh": "c" }),
    ];
    expect(findPinnedFrame(frames)).toBe(1);
  });

  test("takes the highest sequence of the newest window", () => {
    const frames = [
      frame(1, 2, { "mrms-mesh": "a" }),
      frame(2, 2, { "mrms-mesh": "b" }),
      frame(3, 0, { "mrms-mesh": "c" }),
    ];
    expect(findPinnedFrame(frames)).toBe(1);
  });
});
