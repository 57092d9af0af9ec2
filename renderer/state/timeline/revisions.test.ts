import { describe, expect, test } from "vitest";
import type { MrmsLayer } from "../../../shared/contract/index.ts";
import { exampleHistory, steadyFrames } from "../../support/example-data.ts";
import { nearestIndex, toRevisions } from "./revisions.ts";

describe("revisions of a history", () => {
  test("keep the service's sequences, in ascending order and without repetition", () => {
    const revisions = toRevisions(
      exampleHistory([
        { sequence: 7, minute: 4 },
        { sequence: 5, minute: 0 },
        { sequence: 7, minute: 4, variant: "b" },
      ]),
    );
    expect(revisions.map((revision) => revision.sequence)).toEqual([5, 7]);
    expect(revisions[1]?.layers[0]?.imageUrl).toContain("-b.png");
  });

  test("tell apart equal pictures that lie at two places", () => {
    const { frames } = exampleHistory(steadyFrames(2));
    const [first] = frames[0]!.layers;
    const moved = { ...first!, bounds: [-99, 30, -89, 40] as MrmsLayer["bounds"] };
    const urls = toRevisions({
      frames: [first!, { ...first! }, moved].map((layer, index) => ({
        ...frames[0]!,
        sequence: index + 1,
        layers: [layer],
      })),
    }).map(({ layers }) => layers[0]!.imageUrl);
    expect(urls[1]).toBe(urls[0]);
    expect(urls[2]).not.toBe(urls[0]);
    for (const url of urls) expect(new URL(url, "http://a").pathname).toBe(first!.imageUrl);
  });

  test("are counted where the service gives no sequence, and have no identity where it gives none", () => {
    const history = exampleHistory(steadyFrames(3));
    const frames = history.frames.map(({ observedAt, layers }) => ({ observedAt, layers }));
    expect(toRevisions({ frames }).map(({ sequence, revisionId }) => ({ sequence, revisionId }))).toEqual([
      { sequence: 1, revisionId: undefined },
      { sequence: 2, revisionId: undefined },
      { sequence: 3, revisionId: undefined },
    ]);
  });

  test("are found by sequence: the same, else the next one published, else the last", () => {
    const revisions = toRevisions(
      exampleHistory([3, 4, 8].map((sequence) => ({ sequence, minute: sequence }))),
    );
    expect(nearestIndex(revisions, 4)).toBe(1);
    expect(nearestIndex(revisions, 5)).toBe(2);
    expect(nearestIndex(revisions, 99)).toBe(2);
    expect(nearestIndex(revisions, -Infinity)).toBe(0);
    expect(nearestIndex([], 1)).toBeUndefined();
  });
});
